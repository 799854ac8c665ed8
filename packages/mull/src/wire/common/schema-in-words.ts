import type { OutputFormat, WireRequest } from "../../types/request.ts";

/** What a model is told if its service takes no schema. */
export const schemaInWords = ({ schema }: OutputFormat): string =>
  `Your final answer is JSON and nothing else, and fits this JSON Schema:\n${JSON.stringify(schema)}`;

/** A system prompt with these words at its end. */
export const withWords = (
  system: WireRequest["system"] = "",
  words: string,
): NonNullable<WireRequest["system"]> =>
  typeof system === "string"
    ? [system, words].filter((text) => text !== "").join("\n\n")
    : [...system, { type: "text", text: words }];
