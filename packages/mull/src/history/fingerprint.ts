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
  const encoder = new TextEncoder();
  let words = new Int32Array(256);
  /** By words of eight bytes: a long conversation is read before every request, and `charCodeAt` is slow. */
  const mix = (text: string): void => {
    if (text.length * 3 + 8 > words.byteLength) words = new Int32Array(text.length + 2);
    const bytes = new Uint8Array(words.buffer);
    const { written } = encoder.encodeInto(text, bytes);
    bytes.fill(0, written, written + 8);
    for (let i = 0; i * 4 < written; i += 2) {
      high = Math.imul(high ^ words[i]!, 0x01000193);
      low = Math.imul(low ^ words[i + 1]!, 0x85ebca6b);
    }
    // A multiplication moves nothing down: without this the upper bits of a word would be lost.
    high ^= (high >>> 15) ^ written;
    low ^= (low >>> 15) ^ written;
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
