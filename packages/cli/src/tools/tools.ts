import { calculator, offlineSearch, searchWeb } from "@mull/server/tools";
import { tool, type Tool } from "mull";

import { didYouMean } from "../frame/nearest.ts";
import { toolNames } from "../frame/tool-names.ts";
import { UsageError } from "../frame/usage-error.ts";

/** Tools the command brings along; `-t NAME` lets the model use one. Two of them are the server's. */
export const builtInTools = (): readonly Tool[] => [
  calculator,
  searchWeb(offlineSearch),
  tool({
    name: "clock",
    description: "The present date and time.",
    run: () => new Date().toISOString(),
  }),
];

export function chooseTools(names: readonly string[]): readonly Tool[] {
  const known = builtInTools();
  return [...new Set(names.flatMap((name) => name.split(",")))].map((name) => {
    const found = known.find(({ spec }) => spec.name === name);
    if (found !== undefined) return found;
    throw new UsageError(
      `Unknown tool ${JSON.stringify(name)}. Tools: ${toolNames.join(" ")}`,
      didYouMean(name, toolNames),
    );
  });
}
