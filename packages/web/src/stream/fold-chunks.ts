import type { UIChunk, UIMessage, UIPart } from "@mull/ui-messages";

type Parts = readonly UIPart[];
/** A part as it is being built: every field the stream may put on it. */
type PartDraft = UIPart & Readonly<Record<string, unknown>>;

/** Builds the message that `useChat` would build from the same chunks. */
export const foldChunks = (message: UIMessage, chunks: readonly UIChunk[]): UIMessage =>
  chunks.reduce(foldChunk, message);

/** Names the block a chunk belongs to; blocks of different steps may share an id. */
const blockKey = "blockId";

function foldChunk(message: UIMessage, chunk: UIChunk): UIMessage {
  const withParts = (parts: Parts): UIMessage => ({ ...message, parts });
  switch (chunk.type) {
    case "start":
    case "message-metadata":
    case "finish":
      return withMetadata(message, chunk);
    case "start-step":
      return withParts([...message.parts, { type: "step-start" }]);
    case "text-start":
    case "reasoning-start":
      return withParts([...message.parts, startBlock(chunk)]);
    case "text-delta":
    case "reasoning-delta":
      return withParts(addDelta(message.parts, chunk));
    case "text-end":
    case "reasoning-end":
      return withParts(endBlock(message.parts, chunk));
    case "error":
    case "abort":
      return withParts(closeOpen(message.parts));
    default:
      return withParts(foldOther(message.parts, chunk));
  }
}

function foldOther(parts: Parts, chunk: UIChunk): Parts {
  if (chunk.type.startsWith("tool-")) return foldTool(parts, chunk);
  if (!chunk.type.startsWith("data-")) return parts;
  const fresh = chunk as PartDraft;
  const same = (part: UIPart): boolean =>
    part.type === fresh.type && "id" in part && part.id !== undefined && part.id === fresh["id"];
  return parts.some(same) ? parts.map((part) => (same(part) ? fresh : part)) : [...parts, fresh];
}

function withMetadata(message: UIMessage, chunk: UIChunk): UIMessage {
  const given = chunk["messageMetadata"];
  const id = typeof chunk["messageId"] === "string" ? chunk["messageId"] : message.id;
  if (given === undefined) return { ...message, id };
  return { ...message, id, metadata: { ...(message.metadata as object), ...(given as object) } };
}

const kindOf = (type: string): "text" | "reasoning" =>
  type.startsWith("text") ? "text" : "reasoning";

const startBlock = ({ type, id, providerMetadata }: UIChunk): UIPart => {
  const block: object = {
    type: kindOf(type),
    text: "",
    state: "streaming",
    [blockKey]: id,
    ...(providerMetadata !== undefined && { providerMetadata }),
  };
  return block as UIPart;
};

/** The open block is nearly always the last part. */
function changeBlock(parts: Parts, chunk: UIChunk, change: (part: PartDraft) => PartDraft): Parts {
  const kind = kindOf(chunk.type);
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index] as PartDraft;
    if (part.type === kind && part["state"] === "streaming" && part[blockKey] === chunk["id"]) {
      return parts.with(index, change(part));
    }
  }
  return parts;
}

const textField = (value: unknown): string => (typeof value === "string" ? value : "");

const addDelta = (parts: Parts, chunk: UIChunk): Parts =>
  changeBlock(parts, chunk, (part) => ({
    ...part,
    text: textField(part["text"]) + textField(chunk["delta"]),
  }));

const endBlock = (parts: Parts, chunk: UIChunk): Parts =>
  changeBlock(
    parts,
    chunk,
    (part) =>
      ({
        ...part,
        state: "done",
        ...(chunk["providerMetadata"] !== undefined && {
          providerMetadata: chunk["providerMetadata"],
        }),
      }) as PartDraft,
  );

/** What a broken turn left open is closed and marked as cut. */
const closeOpen = (parts: Parts): Parts =>
  parts.map((part) => {
    const isOpen = "state" in part && part.state === "streaming";
    if (!isOpen) return part;
    return { ...part, state: "done", providerMetadata: { mull: { cut: true } } } as UIPart;
  });

function foldTool(parts: Parts, chunk: UIChunk): Parts {
  const id = chunk["toolCallId"];
  const index = parts.findLastIndex((part) => "toolCallId" in part && part.toolCallId === id);
  const before = index === -1 ? undefined : (parts[index] as PartDraft);
  const next = toolPart(before, chunk);
  if (next === undefined) return parts;
  return index === -1 ? [...parts, next] : parts.with(index, next);
}

function toolPart(before: PartDraft | undefined, chunk: UIChunk): UIPart | undefined {
  const { type, toolCallId, toolName, input, output, errorText, providerMetadata } = chunk;
  const base = {
    ...(before ?? { type: `tool-${textField(toolName)}`, toolCallId }),
  } as PartDraft;
  const meta = (name: string): object =>
    providerMetadata === undefined ? {} : { [name]: providerMetadata };
  switch (type) {
    case "tool-input-start":
      return { ...base, state: "input-streaming" } as UIPart;
    case "tool-input-available":
      return {
        ...base,
        state: "input-available",
        input,
        ...meta("callProviderMetadata"),
      } as UIPart;
    case "tool-input-error":
      return {
        ...base,
        state: "output-error",
        input,
        errorText,
        ...meta("callProviderMetadata"),
      } as UIPart;
    case "tool-approval-request":
      return {
        ...base,
        state: "approval-requested",
        approval: { id: chunk["approvalId"] },
      } as UIPart;
    case "tool-output-denied":
      return { ...base, state: "output-denied" } as UIPart;
    case "tool-output-available":
      return {
        ...base,
        state: "output-available",
        output,
        ...meta("resultProviderMetadata"),
      } as UIPart;
    case "tool-output-error":
      return {
        ...base,
        state: "output-error",
        errorText,
        ...meta("resultProviderMetadata"),
      } as UIPart;
    default:
      return undefined;
  }
}
