import type { Attributes } from "@opentelemetry/api";
import type { Message, Part } from "mull";
import type { Seen } from "./attributes.ts";

/** A part as the conventions write it; files by their type alone. */
function writePart(part: Part): object {
  switch (part.type) {
    case "text":
      return { type: "text", content: part.text };
    case "thinking":
      return { type: "reasoning", content: part.text };
    case "tool-call":
      return { type: "tool_call", id: part.id, name: part.name, arguments: part.input };
    case "tool-result":
      return { type: "tool_call_response", id: part.callId, response: part.output };
    case "file":
      return { type: "file", mime_type: part.mediaType };
    case "opaque":
      return { type: "opaque" };
    default:
      return part satisfies never;
  }
}

const writeMessage = ({ role, parts }: Message): object => ({ role, parts: parts.map(writePart) });

/** System words and messages of a request. */
export function askedContent({ request: { system, messages } }: Seen<"composed">): Attributes {
  const words = typeof system === "string" ? [system] : (system ?? []).map(({ text }) => text);
  const instructions = words.map((content) => ({ type: "text", content }));
  return {
    ...(words.length > 0 && { "gen_ai.system_instructions": JSON.stringify(instructions) }),
    "gen_ai.input.messages": JSON.stringify(messages.map(writeMessage)),
  };
}

/** The message of an answer. */
export const answeredContent = ({ reply }: Seen<"end">): Attributes =>
  reply === undefined
    ? {}
    : {
        "gen_ai.output.messages": JSON.stringify([
          { ...writeMessage(reply.message), finish_reason: reply.finish.reason },
        ]),
      };

export const calledContent = ({ call }: Seen<"tool-start">): Attributes => ({
  "gen_ai.tool.call.arguments": JSON.stringify(call.input),
});

export const resultContent = ({ result }: Seen<"tool-end">): Attributes => ({
  "gen_ai.tool.call.result": JSON.stringify(result.output),
});
