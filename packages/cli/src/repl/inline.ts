import type { Format } from "./look.ts";
import type { Span } from "./rows.ts";

/** A token of the Markdown lexer, as far as it is used here. */
interface InlineToken {
  readonly type: string;
  readonly raw: string;
  readonly text?: string;
  readonly href?: string;
  readonly tokens?: readonly InlineToken[];
}

export type LexInline = (source: string) => readonly InlineToken[];

const looks: ReadonlyMap<string, Format> = new Map([
  ["strong", "bold"],
  ["em", "italic"],
  ["del", "strikethrough"],
]);

/** The one tag models write where Markdown has nothing: in cells of tables. */
const lineBreak = /^<br\s*\/?>$/i;

/** A line of Markdown as pieces with a look. What is not known stays as it was written. */
export function inlineSpans(source: string, lex: LexInline): readonly Span[] {
  return lex(source).flatMap((token) => spansOf(token, []));
}

function spansOf(token: InlineToken, formats: readonly Format[]): readonly Span[] {
  const look = looks.get(token.type);
  if (look !== undefined) return inner(token, [...formats, look]);
  switch (token.type) {
    case "codespan":
      return [{ text: token.text ?? token.raw, formats: [...formats, "cyan"] }];
    case "link":
      return linkSpans(token, formats);
    case "image":
      return [{ text: `[image: ${token.text ?? ""}] ${token.href ?? ""}`, formats }];
    case "br":
      return [{ text: "\n", formats }];
    case "html":
      return [{ text: lineBreak.test(token.raw) ? "\n" : token.raw, formats }];
    case "escape":
      return [{ text: token.text ?? token.raw, formats }];
    default:
      return token.tokens === undefined ? [{ text: token.raw, formats }] : inner(token, formats);
  }
}

const inner = (token: InlineToken, formats: readonly Format[]): readonly Span[] =>
  token.tokens === undefined
    ? [{ text: token.text ?? token.raw, formats }]
    : token.tokens.flatMap((child) => spansOf(child, formats));

/** The address is always shown: a label alone may say anything. */
function linkSpans(token: InlineToken, formats: readonly Format[]): readonly Span[] {
  const label = inner(token, [...formats, "underline"]);
  const href = token.href ?? "";
  return href === "" || token.text === href || `mailto:${token.text}` === href
    ? label
    : [...label, { text: ` (${href})`, formats: [...formats, "dim"] }];
}

/** Whether a look may still be open at the end of a text, so that what follows could change it. */
export function hasOpenMarks(line: string): boolean {
  const text = line.replaceAll(/(`+)[^`]*?\1/g, "").replaceAll(/\\./g, "");
  if (text.includes("`")) return true;
  const count = (mark: string, source: string = text): number => source.split(mark).length - 1;
  const isOdd = (mark: string): boolean =>
    count(mark + mark) % 2 === 1 || count(mark, text.replaceAll(mark + mark, "")) % 2 === 1;
  return (
    isOdd("*") ||
    isOdd("_") ||
    count("~~") % 2 === 1 ||
    count("[") > count("]") ||
    /\]\([^)]*$/.test(text)
  );
}
