/** The words of options that take lists: `--models A,B --models C` and `--models "A B"` alike. */
export const listed = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== "");
