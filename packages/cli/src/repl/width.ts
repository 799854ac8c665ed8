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
}

/** Loading the table costs as much as the rest of the start, so it waits for the first need. */
export const createWidths = (
  load: () => Promise<Measure> = async () => (await import("string-width")).default,
): Widths => {
  let exact: Measure | undefined;
  let loading: Promise<Measure> | undefined;
  return {
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
