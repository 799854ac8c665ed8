const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Bars of at most `width` characters, drawn in eighths; the largest number fills the width. */
export function bars(numbers: readonly number[], width: number): readonly string[] {
  const most = Math.max(0, ...numbers);
  return numbers.map((number) => {
    const steps = most === 0 ? 0 : Math.round((number / most) * width * 8);
    return "█".repeat(Math.floor(steps / 8)) + (eighths[steps % 8] ?? "");
  });
}
