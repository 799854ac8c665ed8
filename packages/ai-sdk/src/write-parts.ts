import type { AssistantPart, StreamEvent, ToolCallPart } from "mull";
import { carry, isKept, type AboutMessage } from "./metadata.ts";
import type { WrittenContent, WrittenStreamPart } from "./written.ts";

/** A whole part as the AI SDK has it. What has no place there travels as a thought without words. */
export function writePart(
  part: AssistantPart,
  about?: AboutMessage,
): Exclude<WrittenContent, { type: "source" }> | undefined {
  if (isKept(part)) {
    // An empty text that nobody sealed says nothing.
    if (part.type === "text" && part.seal === undefined && about === undefined) return undefined;
    return { type: "reasoning", text: "", providerMetadata: carry({ part }, about) };
  }
  switch (part.type) {
    case "text": {
      const { type, text, ...rest } = part;
      return { type, text, providerMetadata: carry(rest, about) };
    }
    case "thinking": {
      const { type: _, text, ...rest } = part;
      return { type: "reasoning", text, providerMetadata: carry(rest, about) };
    }
    case "tool-call":
      return writeCall(part, about);
    case "file": {
      const { type, mediaType, source, ...rest } = part;
      if (source.type !== "base64") return undefined;
      const data = { type: "data" as const, data: source.data };
      return { type, mediaType, data, providerMetadata: carry(rest, about) };
    }
    case "opaque":
      return undefined;
    default:
      return part satisfies never;
  }
}

function writeCall(
  part: ToolCallPart,
  about: AboutMessage | undefined,
): Extract<WrittenContent, { type: "tool-call" }> {
  const { type, id, name, input, ...rest } = part;
  return {
    type,
    toolCallId: id,
    toolName: name,
    // The AI SDK reads it again, and tells the program if it is no JSON.
    input: part.invalid?.raw ?? part.inputText ?? JSON.stringify(input),
    providerMetadata: carry(rest, about),
  };
}

/** Turns events into the stream parts of the AI SDK. */
export interface PartWriter {
  readonly write: (event: StreamEvent) => readonly WrittenStreamPart[];
  /** Ends what a broken stream left open, with what arrived of it. */
  readonly close: (parts: readonly AssistantPart[]) => readonly WrittenStreamPart[];
}

type OpenKind = "text" | "reasoning" | "tool-input";

/** Writes one answer; `about` is asked for once, when its first part is whole. */
export function createPartWriter(about: () => AboutMessage): PartWriter {
  const open = new Map<number, { readonly block: OpenKind; readonly id: string }>();
  let isTold = false;
  const tell = (): AboutMessage | undefined => {
    if (isTold) return undefined;
    isTold = true;
    return about();
  };
  const start = (index: number, block: "text" | "reasoning"): WrittenStreamPart[] => {
    if (open.has(index)) return [];
    const id = String(index);
    open.set(index, { block, id });
    return [{ type: `${block}-start`, id }];
  };
  const finish = (index: number, part: AssistantPart): readonly WrittenStreamPart[] => {
    const whole = writePart(part, isTold ? undefined : tell());
    if (whole === undefined) return [];
    if (whole.type !== "text" && whole.type !== "reasoning") {
      const opened = open.get(index);
      open.delete(index);
      return opened === undefined ? [whole] : [{ type: "tool-input-end", id: opened.id }, whole];
    }
    const { text, providerMetadata } = whole;
    const begun = start(index, whole.type);
    const { block, id } = open.get(index)!;
    open.delete(index);
    const unsaid = begun.length > 0 && text !== "";
    return [
      ...begun,
      ...(unsaid ? [{ type: `${whole.type}-delta` as const, id, delta: text }] : []),
      {
        type: `${block === "text" ? "text" : "reasoning"}-end`,
        id,
        ...(providerMetadata && { providerMetadata }),
      },
    ];
  };
  return {
    write: (event) => {
      switch (event.type) {
        case "text":
        case "thinking": {
          const block = event.type === "text" ? "text" : "reasoning";
          const { index, delta } = event;
          return [...start(index, block), { type: `${block}-delta`, id: String(index), delta }];
        }
        case "tool-call":
          open.set(event.index, { block: "tool-input", id: event.id });
          return [{ type: "tool-input-start", id: event.id, toolName: event.name }];
        case "tool-input": {
          const id = open.get(event.index)?.id ?? String(event.index);
          return [{ type: "tool-input-delta", id, delta: event.delta }];
        }
        case "part":
          return finish(event.index, event.part);
        case "start":
        case "heartbeat":
        case "finish":
          return [];
        default:
          return event satisfies never;
      }
    },
    close: (parts) =>
      [...open].flatMap(([index, { block, id }]): readonly WrittenStreamPart[] => {
        const part = parts[index];
        open.delete(index);
        if (block === "tool-input") return [{ type: "tool-input-end", id }];
        const whole = part && writePart(part, tell());
        const providerMetadata = whole?.providerMetadata;
        return [{ type: `${block}-end`, id, ...(providerMetadata && { providerMetadata }) }];
      }),
  };
}
