/** The completion library writes to the console; here its lines are handed back instead. */
export function captured(write: () => void): string {
  const lines: string[] = [];
  const { log } = console;
  console.log = (...words: readonly unknown[]): void => {
    lines.push(words.join(" "));
  };
  try {
    write();
  } finally {
    console.log = log;
  }
  return `${lines.join("\n")}\n`;
}
