/** A Markdown table. Cells may hold anything but line ends. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] =>
  [head, head.map(() => "---"), ...rows].map(
    (row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  );

export const code = (text: string): string => `\`${text}\``;

/** `43008` as people read it. */
export const grouped = (count: number): string => count.toLocaleString("en-US");
