import type { Format, Look } from "./look.ts";

/** A piece of a line in one look. */
export interface Span {
  readonly text: string;
  readonly formats?: readonly Format[];
}

export interface WrapOptions {
  readonly width: number;
  /** Put before every row but the first. */
  readonly hanging?: Span;
  /** Leaves a word wider than a row whole, e.g. an address: the terminal breaks it, copying does not. */
  readonly keepsWords?: boolean;
}

/** Breaks a line between words into rows no wider than `width`; a word wider than that is cut. */
export function wrapSpans(
  spans: readonly Span[],
  widths: Widths,
  { width, hanging, keepsWords = false }: WrapOptions,
): readonly (readonly Span[])[] {
  const rows: Span[][] = [[]];
  let used = 0;
  const startRow = (): void => {
    rows.push(hanging === undefined ? [] : [hanging]);
    used = hanging === undefined ? 0 : widths.of(hanging.text);
  };
  const put = (text: string, span: Span): void => {
    rows.at(-1)!.push({ ...span, text });
    used += widths.of(text);
  };
  for (const word of wordsOf(spans)) {
    const size = word.reduce((sum, { text }) => sum + widths.of(text), 0);
    const isSpace = word[0]?.text.trim() === "";
    const isOver = used + size > width;
    const isBegun = used > 0 && !isFresh(rows.at(-1)!, hanging);
    if (isOver && isSpace) {
      // A shorter word might fit where the spaces do not; it would stick to the one before.
      if (isBegun) used = width;
      continue;
    }
    if (isOver && isBegun) startRow();
    for (const span of word) {
      if (keepsWords || used + widths.of(span.text) <= width) put(span.text, span);
      else
        for (const cell of graphemesOf(span.text)) {
          if (used + widths.of(cell) > width) startRow();
          put(cell, span);
        }
    }
  }
  return rows.map((row) => trimEnd(joined(row)));
}

const isFresh = (row: readonly Span[], hanging: Span | undefined): boolean =>
  row.length === 0 || (row.length === 1 && row[0] === hanging);

/** Signs of Chinese and Japanese: a row may end after each, because words have no spaces there. */
const wide = "\\u2e80-\\u9fff\\uf900-\\ufaff\\uff01-\\uff60\\u{20000}-\\u{3ffff}";
/** What opens stays with what follows it, what closes with what it follows. */
const opening = "「『（《〈【〔［";
const closing = "。、，．！？：；」』）》〉】〕］ー々〜";
const hasWide = new RegExp(`[${wide}]`, "u");
const unit = new RegExp(`[${opening}]*(?:[${wide}]|[^${wide}]+)[${closing}]*`, "gu");
const wideStart = new RegExp(`^(?![${closing}])[${wide}]`, "u");

const unitsOf = (word: string): readonly string[] =>
  hasWide.test(word) ? (word.match(unit) ?? [word]) : [word];

const mayBreakBefore = (word: string): boolean => wideStart.test(word);

/** The last place up to `from` where a row may end; 0 if there is none. */
export function lastBreak(text: string, from: number): number {
  for (let at = Math.min(from, text.length - 1); at > 0; at--) {
    if (text[at] === " ") return at;
    if (mayBreakBefore(text.slice(at, at + 2)) && !opening.includes(text[at - 1]!)) return at;
  }
  return 0;
}

/** What must stand on one row at the start of a text, the spaces before it included. */
export function firstUnit(text: string): string {
  const [spaces = ""] = /^ */.exec(text) ?? [];
  const [word = ""] = /^\S*/.exec(text.slice(spaces.length)) ?? [];
  return spaces + (unitsOf(word)[0] ?? "");
}

/** Words may change their look halfway: each is a list of spans. Runs of spaces are words too. */
export function wordsOf(spans: readonly Span[]): readonly (readonly Span[])[] {
  const words: Span[][] = [];
  let wasSpace: boolean | undefined;
  for (const span of spans) {
    for (const piece of span.text.split(/([ \t]+)/)) {
      if (piece === "") continue;
      const isSpace = piece.trim() === "";
      const [first = "", ...others] = isSpace ? [piece.replaceAll("\t", "    ")] : unitsOf(piece);
      if (isSpace === wasSpace && !mayBreakBefore(first))
        words.at(-1)!.push({ ...span, text: first });
      else words.push([{ ...span, text: first }]);
      for (const text of others) words.push([{ ...span, text }]);
      wasSpace = isSpace;
    }
  }
  return words;
}

const isSameLook = (one: Span, other: Span): boolean =>
  (one.formats ?? []).join() === (other.formats ?? []).join();

function joined(row: readonly Span[]): readonly Span[] {
  const out: Span[] = [];
  for (const span of row) {
    const last = out.at(-1);
    if (last !== undefined && isSameLook(last, span))
      out[out.length - 1] = { ...last, text: last.text + span.text };
    else out.push(span);
  }
  return out;
}

function trimEnd(row: readonly Span[]): readonly Span[] {
  const last = row.at(-1);
  if (last === undefined || !/\s$/.test(last.text)) return row;
  const text = last.text.trimEnd();
  return text === "" ? trimEnd(row.slice(0, -1)) : [...row.slice(0, -1), { ...last, text }];
}

export const renderRow = (row: readonly Span[], look: Look): string =>
  row.map(({ text, formats }) => look.paint(text, ...(formats ?? []))).join("");

/** The start of a text that fits, with `…` if something was cut, or what stands for it here. */
export function cutTo(text: string, width: number, widths: Widths): string {
  // Text far beyond the row is not even measured: it may be megabytes.
  const start = text.slice(0, 32 * width);
  if (start.length === text.length && widths.of(text) <= width) return text;
  let used = 0;
  let out = "";
  for (const cell of graphemesOf(start)) {
    used += widths.of(cell);
    if (used > width - widths.ellipsis.length) break;
    out += cell;
  }
  return out + widths.ellipsis;
}

/** Texts people copy: a mull command with its arguments, a variable to set, anything in backticks. */
const copied =
  /`[^`\n]+`|\bexport \S+|\bmull (?:keys|conversations) [a-z]+ \S+|\bmull (?:--?\w*|lint|plan|completion|emulate) \S+|\bmull \S+|\/keys (?:set|remove) \S+|\/(?:model|level|resume) [^\s(]+/g;

/** Stands for a space where no row may end. */
const joint = "\u00a0";

/** Joins what is there to be copied, so that no row ends inside of it; `splitCopied` undoes it. */
export const joinCopied = (text: string): string =>
  text.replaceAll(copied, (words) => words.replaceAll(" ", joint));

export const splitCopied = (text: string): string => text.replaceAll(joint, " ");

/** The label before a line's text, which wrapped rows are indented under: a sign, or a name and two spaces. */
const label = /^ *(?:[✗⚠x!] |\S+(?: \S+)*? {2,}(?=\S))?/;

/** How far rows that go on are put in: under the text, if the longest word has room there. */
export function hangingOf(line: string, width: number, otherwise = 2): number {
  const size = label.exec(line)?.[0].length ?? 0;
  const longest = Math.max(
    ...joinCopied(line)
      .split(/ +/)
      .map((word) => word.length),
  );
  const most = Math.min(36, width / 2 - 1);
  const isRoomy = size > 0 && size <= most && (size <= 2 || size + longest <= width);
  const start = /^ */.exec(line)?.[0].length ?? 0;
  return isRoomy ? size : Math.max(otherwise, start <= most ? start : 0);
}

type Measure = (text: string) => number;

/** ASCII, Latin, and the signs mull itself writes: one column each, no table needed. */
const narrow =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2200-\u22ff\u2500-\u257f❯✓✗⚠▸]*$/;

/** Kana, Han and full-width signs without those that combine: two columns each, no table needed. */
const broad = /[\u3001-\u3029\u3030-\u303e\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uff01-\uff60]/g;

/** Columns of a text whose characters are all known here; undefined for any other. */
const columnsOf = (text: string): number | undefined => {
  if (narrow.test(text)) return text.length;
  const rest = text.replaceAll(broad, "");
  return rest.length < text.length && narrow.test(rest) ? 2 * text.length - rest.length : undefined;
};

export interface Widths {
  /** Columns a text takes. Without the table of characters yet: never too few. */
  readonly of: Measure;
  /** Loads the table when `text` needs it; resolves to true when measures may have changed. */
  readonly learn: (text: string) => Promise<boolean>;
  /** What says that a text was cut: `...` if there is no UTF-8. */
  readonly ellipsis: string;
}

/** Loading the table costs as much as the rest of the start, so it waits for the first need. */
export const createWidths = (
  load: () => Promise<Measure> = async () => (await import("string-width")).default,
  ellipsis = "…",
): Widths => {
  let exact: Measure | undefined;
  let loading: Promise<Measure> | undefined;
  return {
    ellipsis,
    of: (text) => columnsOf(text) ?? exact?.(text) ?? atMost(text),
    learn: async (text) => {
      if (exact !== undefined || columnsOf(text) !== undefined) return false;
      loading ??= load();
      exact = await loading;
      return true;
    },
  };
};

const atMost = (text: string): number => {
  let columns = 0;
  for (const character of text) columns += narrow.test(character) ? 1 : 2;
  return columns;
};

/** What people see as characters: an emoji of five code points is one. */
export const graphemesOf = (text: string): readonly string[] => {
  if (columnsOf(text) !== undefined) return text.split("");
  // Made at the first need: it costs a tenth of the start.
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
};
