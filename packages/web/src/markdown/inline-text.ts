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

/** Where a link leads, in the words to show beside it; nothing if its text is exactly that. */
export function placeOf({ host, pathname }: URL, shown: string): string | undefined {
  const place = host === "" ? pathname : host;
  return shown === place ? undefined : place;
}

/** An address people may follow by a click. Everything else stays text. */
export function safeAddress(href: string): URL | undefined {
  const trimmed = href.trim();
  if (!/^(?:https?:\/\/|mailto:)/i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  return new URL(trimmed);
}

const unseen =
  /[\u00AD\u200B\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|(?<=^|[\0-\u007F])[\u200C-\u200F\u061C]|(?<!\u{1F3F4}[\u{E0000}-\u{E007F}]*)[\u{E0000}-\u{E007F}]/gu;

/**
 * Characters that nobody sees, by their number: `user\u202Etxt.exe` would read as `userexe.txt`.
 * Joiners and marks stay where scripts and emoji need them, behind a letter that is not ASCII.
 */
export const revealUnseen = (text: string): string =>
  text.replaceAll(
    unseen,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

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
