import type { JsonValue } from "../types/json.ts";
import type { Message, Part } from "../types/message.ts";
import type { WireRequest } from "../types/request.ts";
import { requireList } from "../types/error.ts";

/** Characters per token, on average. It is used only where no service has counted. */
const charactersPerToken = 4;

/** A rough count of the tokens in a history. */
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
  const around = JSON.stringify([system, tools]);
  return estimateTokens([...messages, { role: "user", parts: [{ type: "text", text: around }] }]);
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

const lengthAsJson = (value: JsonValue): number => JSON.stringify(value).length;
