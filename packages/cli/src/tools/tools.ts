import { tool, type Tool } from "mull";

import { didYouMean } from "../frame/nearest.ts";
import { toolNames } from "../frame/tool-names.ts";
import { UsageError } from "../frame/usage-error.ts";
import { evaluate } from "./arithmetic.ts";

/** Tools the command brings along; `-t NAME` lets the model use one. */
export const builtInTools = (): readonly Tool[] => [
  tool<{ readonly expression: string }>({
    name: "calculator",
    description: "Works out an arithmetic expression with + - * / % ^ and parentheses.",
    input: {
      type: "object",
      properties: { expression: { type: "string" } },
      required: ["expression"],
      additionalProperties: false,
    },
    idempotent: true,
    run: ({ expression }) => String(evaluate(expression)),
  }),
  tool<{ readonly query: string }>({
    name: "searchWeb",
    // Say it plainly, so that neither the model nor the user relies on it.
    description: "Searches the web. A stand-in: it looks nothing up, and says so.",
    input: {
      type: "object",
      properties: { query: { type: "string" } },
      required: ["query"],
      additionalProperties: false,
    },
    idempotent: true,
    run: ({ query }) =>
      `No search service is set up, so nothing was looked up for ${JSON.stringify(query)}. Say so.`,
  }),
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
