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
  let bytes = new Uint8Array(words.buffer);
  const encode = (text: string): number => {
    if (text.length * 3 + 8 > bytes.length) {
      words = new Int32Array(text.length + 2);
      bytes = new Uint8Array(words.buffer);
    }
    const { written } = encoder.encodeInto(text, bytes);
    for (let i = written; i % 8 !== 0; i++) bytes[i] = 0;
    return written;
  };
  /** By words of eight bytes: a long conversation is read before every request, and `charCodeAt` is slow. */
  const stir = (from: Int32Array, written: number): void => {
    let a = high;
    let b = low;
    for (let i = 0; i * 4 < written; i += 2) {
      a = Math.imul(a ^ from[i]!, 0x01000193);
      b = Math.imul(b ^ from[i + 1]!, 0x85ebca6b);
    }
    // A multiplication moves nothing down: without this the upper bits of a word would be lost.
    high = a ^ (a >>> 15) ^ written;
    low = b ^ (b >>> 15) ^ written;
  };
  const mix = (text: string): void => {
    const written = encode(text);
    stir(words, written);
  };
  /** Roles and kinds are few, and encoding a short word costs as much as a long text. */
  const known = new Map<string, Int32Array>();
  const mixKind = (kind: string): void => {
    let own = known.get(kind);
    if (own === undefined) {
      encode(kind);
      known.set(kind, (own = words.slice(0, 4)));
    }
    stir(own, kind.length);
  };
  mix(system ?? "");
  for (const tool of sortedTools(tools)) mix(tool);
  return {
    add: (message) => {
      mixKind(message.role === "tool" ? "user" : message.role);
      for (const part of message.parts) mixPart(part, mix, mixKind);
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
function mixPart(part: Part, mix: (text: string) => void, mixKind: (kind: string) => void): void {
  switch (part.type) {
    case "text":
      mixKind("text");
      return mix(part.text);
    case "thinking":
      return;
    case "tool-call":
      mix(`call ${part.name}`);
      return mix(JSON.stringify(part.input));
    case "tool-result":
      mixKind("result");
      return mix(typeof part.output === "string" ? part.output : JSON.stringify(part.output));
    case "file":
      mix(`file ${part.mediaType}`);
      return mix(JSON.stringify(part.source));
    case "opaque":
      mixKind("opaque");
      return mix(JSON.stringify(part.data));
    default:
      return part satisfies never;
  }
}
