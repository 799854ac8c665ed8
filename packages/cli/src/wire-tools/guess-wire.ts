import type { JsonObject, WireId } from "mull";

import { fieldOf } from "./field-of.ts";

/** Ends of the addresses that services take requests at. */
const paths: readonly (readonly [RegExp, WireId])[] = [
  [/\/messages(?:$|\?)/, "anthropic-messages"],
  [/\/responses(?:$|\?)/, "openai-responses"],
  [/\/chat\/completions(?:$|\?)/, "openai-chat"],
  [/:(?:stream)?generateContent(?:$|\?)/i, "google-generate"],
];

/** Fields that only one wire has. */
const fields: readonly (readonly [string, WireId])[] = [
  ["contents", "google-generate"],
  ["input", "openai-responses"],
];

/** Both wires that have `messages` are told apart by the model, then by what only Claude's has. */
const claudeFields: ReadonlySet<string> = new Set([
  "anthropic_version",
  "output_config",
  "stop_sequences",
  "system",
  "thinking",
]);
const claudeParts: ReadonlySet<unknown> = new Set([
  "redacted_thinking",
  "thinking",
  "tool_result",
  "tool_use",
]);

/** The wire a request was written for, by its address and its fields; absent if they fit several. */
export function guessWire(body: JsonObject, path: string): WireId | undefined {
  const byPath = paths.find(([form]) => form.test(path))?.[1];
  if (byPath !== undefined) return byPath;
  const byField = fields.find(([field]) => field in body)?.[1];
  if (byField !== undefined || !Array.isArray(body["messages"])) return byField;
  const { model, messages } = body;
  if (typeof model === "string" && model.startsWith("claude")) return "anthropic-messages";
  if (Object.keys(body).some((field) => claudeFields.has(field)) || messages.some(hasClaudePart))
    return "anthropic-messages";
  return typeof model === "string" ? "openai-chat" : undefined;
}

function hasClaudePart(message: unknown): boolean {
  const content = fieldOf(message, "content");
  return Array.isArray(content) && content.some((part) => claudeParts.has(fieldOf(part, "type")));
}
