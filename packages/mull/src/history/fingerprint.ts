import type { Message, Part } from "../types/message.ts";
import { isToolSpec, type AnyTool } from "../types/tool.ts";

/**
 * Fingerprints of what stands before each message: system prompt, the set of tools, earlier
 * messages. Thinking and call ids are left out, because removing the one and renaming the other
 * does not break a seal that is bound to its prefix.
 */
export function createPrefix(
  system: string | undefined,
  tools: readonly AnyTool[] | undefined,
): { readonly add: (message: Message) => void; readonly value: () => string } {
  let high = 0x811c9dc5;
  let low = 0xcbf29ce4;
  /** Four characters a step, two for each half: a long conversation is read before every request. */
  const mix = (text: string): void => {
    const { length } = text;
    const whole = length - (length % 4);
    for (let i = 0; i < whole; i += 4) {
      high = Math.imul(high ^ pair(text, i), 0x01000193);
      low = Math.imul(low ^ pair(text, i + 2), 0x85ebca6b);
    }
    for (let i = whole; i < length; i++) {
      high = Math.imul(high ^ text.charCodeAt(i), 0x01000193);
    }
    // A multiplication moves nothing down: without this the upper bits of a character would be lost.
    high ^= (high >>> 15) ^ length;
    low ^= (low >>> 15) ^ length;
  };
  mix(system ?? "");
  for (const tool of sortedTools(tools)) mix(tool);
  return {
    add: (message) => {
      mix(message.role === "tool" ? "user" : message.role);
      for (const part of message.parts) mixPart(part, mix);
    },
    value: () => hex(high) + hex(low),
  };
}

const pair = (text: string, at: number): number =>
  text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, "0");

/** The order of tools does not matter to the services. */
const sortedTools = (tools: readonly AnyTool[] | undefined): readonly string[] =>
  (tools ?? [])
    .map((tool) =>
      isToolSpec(tool)
        ? JSON.stringify([tool.name, tool.description, tool.inputSchema])
        : JSON.stringify(tool.vendor.fields),
    )
    .toSorted();

/** Kind and content apart: joining them would copy every text. */
function mixPart(part: Part, mix: (text: string) => void): void {
  switch (part.type) {
    case "text":
      mix("text");
      return mix(part.text);
    case "thinking":
      return;
    case "tool-call":
      mix(`call ${part.name}`);
      return mix(JSON.stringify(part.input));
    case "tool-result":
      mix("result");
      return mix(typeof part.output === "string" ? part.output : JSON.stringify(part.output));
    case "file":
      mix(`file ${part.mediaType}`);
      return mix(JSON.stringify(part.source));
    case "opaque":
      mix("opaque");
      return mix(JSON.stringify(part.data));
    default:
      return part satisfies never;
  }
}
