const named: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00A0"],
  ["hellip", "…"],
  ["ndash", "–"],
  ["mdash", "—"],
  ["times", "×"],
  ["copy", "©"],
  ["rarr", "→"],
  ["le", "≤"],
  ["ge", "≥"],
  ["deg", "°"],
  ["euro", "€"],
]);

const codePoint = (digits: string, base: number): string => {
  const value = Number.parseInt(digits, base);
  return value > 0 && value <= 0x10_ff_ff ? String.fromCodePoint(value) : "\uFFFD";
};

/** Markdown may spell characters as HTML does; nothing here ever becomes HTML. */
export const decodeEntities = (text: string): string =>
  text.includes("&")
    ? text.replaceAll(
        /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,6}));/g,
        (whole: string, decimal?: string, hex?: string, name?: string) => {
          if (decimal !== undefined) return codePoint(decimal, 10);
          if (hex !== undefined) return codePoint(hex, 16);
          return named.get(name ?? "") ?? whole;
        },
      )
    : text;

/** An address people may follow by a click. Everything else stays text. */
export function safeAddress(href: string): URL | undefined {
  const trimmed = href.trim();
  if (!/^(?:https?:\/\/|mailto:)/i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  return new URL(trimmed);
}

const rightToLeft =
  /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Where a text begins, by its first letter. `dir="auto"` looks past everything that has a
 * direction of its own: the items of a list, the lines of a quote.
 */
export function directionOf(text: string): "ltr" | "rtl" {
  const [first = ""] = /\p{L}/u.exec(text) ?? [];
  return rightToLeft.test(first) ? "rtl" : "ltr";
}
