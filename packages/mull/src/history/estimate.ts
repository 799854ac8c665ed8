import type { JsonValue } from "../types/json.ts";
import type { Message, Part } from "../types/message.ts";
import { requireList } from "../types/require.ts";

/** Characters a token stands for, on average; only ever used where no service has counted. */
const charactersPerToken = 4;

/** A rough count of the tokens in a history. */
export function estimateTokens(messages: readonly Message[]): number {
  requireList("messages", messages, "a list of messages, e.g. history.messages");
  let characters = 0;
  for (const message of messages) for (const part of message.parts) characters += lengthOf(part);
  return Math.ceil(characters / charactersPerToken);
}

function lengthOf(part: Part): number {
  switch (part.type) {
    case "text":
    case "thinking":
      return part.text.length;
    case "tool-call":
      return lengthAsJson(part.input) + part.name.length;
    case "tool-result":
      return typeof part.output === "string"
        ? part.output.length
        : part.output.reduce((sum, inner) => sum + lengthOf(inner), 0);
    case "file":
      return 4000;
    case "opaque":
      return lengthAsJson(part.data);
    default:
      return part satisfies never;
  }
}

/** Without writing it, and without counting escapes: a history is estimated before every request. */
function lengthAsJson(value: JsonValue | undefined): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  let length = 1;
  if (Array.isArray(value)) for (const item of value) length += lengthAsJson(item) + 1;
  else
    for (const [key, field] of Object.entries(value))
      if (field !== undefined) length += key.length + 4 + lengthAsJson(field);
  return Math.max(length, 2);
}
