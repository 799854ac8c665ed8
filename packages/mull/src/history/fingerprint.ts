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
  const mix = (text: string): void => {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul(low ^ (code + i), 0x85ebca6b);
    }
  };
  mix(system ?? "");
  for (const tool of sortedTools(tools)) mix(tool);
  return {
    add: (message) => {
      mix(message.role === "tool" ? "user" : message.role);
      for (const part of message.parts) mix(describePart(part));
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

function describePart(part: Part): string {
  switch (part.type) {
    case "text":
      return `t${part.text}`;
    case "thinking":
      return "";
    case "tool-call":
      return `c${part.name}${JSON.stringify(part.input)}`;
    case "tool-result":
      return `r${typeof part.output === "string" ? part.output : JSON.stringify(part.output)}`;
    case "file":
      return `f${part.mediaType}${JSON.stringify(part.source)}`;
    case "opaque":
      return `o${JSON.stringify(part.data)}`;
    default:
      return part satisfies never;
  }
}
