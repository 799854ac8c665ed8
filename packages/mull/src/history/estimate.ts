import type { Message, Part } from "../types/message.ts";

/** Characters a token stands for, on average; only ever used where no service has counted. */
const charactersPerToken = 4;

/** A rough count of the tokens a history takes. */
export function estimateTokens(messages: readonly Message[]): number {
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
      return JSON.stringify(part.input).length + part.name.length;
    case "tool-result":
      return typeof part.output === "string"
        ? part.output.length
        : part.output.reduce((sum, inner) => sum + lengthOf(inner), 0);
    case "file":
      return 4000;
    case "opaque":
      return JSON.stringify(part.data).length;
    default:
      return part satisfies never;
  }
}
