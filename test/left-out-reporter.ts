import type { Reporter } from "vitest/node";
import { describeLeftOut, listLeftOut, mark } from "./left-out.ts";
import { isQuick } from "./suites.ts";

/** Lists, once and last, what the run did not test. */
export const leftOutReporter = (
  known: readonly string[],
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Reporter => {
  const lines = new Set(known);
  return {
    onInit: ({ projects, vite }) => {
      if (projects.every(({ name }) => isQuick(name)) && vite.config.mode !== "full")
        lines.add(describeLeftOut("heavy"));
    },
    onUserConsoleLog: ({ content }) => {
      for (const line of content.split("\n"))
        if (line.startsWith(mark)) lines.add(line.slice(mark.length));
    },
    onTestRunEnd: () => {
      if (lines.size > 0) write(listLeftOut(lines));
    },
  };
};
