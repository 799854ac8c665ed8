import { isJsonObject } from "../types/json.ts";
import type { Message, Part } from "../types/message.ts";
import type { WireRequest } from "../types/request.ts";
import { requireList } from "../types/error.ts";

/** Characters per token, on average. It is used only if no service has counted. */
const charactersPerToken = 4;

/** A rough count of the tokens in messages, e.g. in `history.messages`. Nothing is sent. */
export function estimateTokens(messages: readonly Message[]): number {
  requireList("messages", messages, "a list of messages, e.g. history.messages");
  let characters = 0;
  for (const message of messages) for (const part of message.parts) characters += lengthOf(part);
  return Math.ceil(characters / charactersPerToken);
}

/** A rough count of the tokens of a request: tools and the system prompt count too. */
export function estimateRequest({
  messages,
  system = "",
  tools = [],
}: Pick<WireRequest, "messages" | "system" | "tools">): number {
  const around = lengthAsJson(system) + lengthAsJson(tools);
  return estimateTokens(messages) + Math.ceil(around / charactersPerToken);
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

/** The length of its JSON, without the escapes. To write the JSON of an agent's tools would take twenty times as long. */
function lengthAsJson(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  let length = 1;
  if (Array.isArray(value)) for (const item of value) length += lengthAsJson(item) + 1;
  else if (isJsonObject(value)) {
    for (const name of Object.keys(value))
      if (value[name] !== undefined) length += name.length + 4 + lengthAsJson(value[name]);
  } else return String(value).length;
  return Math.max(length, 2);
}
