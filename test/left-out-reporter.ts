import type { Reporter } from "vitest/node";
import { mark } from "./left-out.ts";

/** Lists, once and last, what the run did not test. */
export const leftOutReporter = (
  known: readonly string[],
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Reporter => {
  const lines = new Set(known);
  return {
    onUserConsoleLog: ({ content }) => {
      for (const line of content.split("\n"))
        if (line.startsWith(mark)) lines.add(line.slice(mark.length));
    },
    onTestRunEnd: () => {
      if (lines.size > 0)
        write(`Not tested in this run:\n${[...lines].map((line) => `  ${line}\n`).join("")}`);
    },
  };
};
