import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { AssistantPart, ToolCallPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { cutCall, cutText, cutThought } from "../../common/answer.ts";
import { parseObject, parseToolInput } from "../../common/tool-input.ts";
import { asText } from "../../common/json-reading.ts";
import { readBlock, readThinking, visibilityOf } from "./parts.ts";

/** A block while it streams. */
export interface Block {
  readonly kind: "text" | "thinking" | "tool" | "opaque";
  readonly start: JsonObject;
  readonly startedAt: number;
  /** The call's id and name, known from the start. */
  readonly call: ToolCallPart | undefined;
  /** What the deltas add up to: text, thinking, or JSON. */
  text: string;
  /** Staged: it counts only when the block ends. */
  signature: string;
  /** Other fields that deltas brought. */
  readonly fields: Map<string, JsonValue | undefined>;
  part: AssistantPart | undefined;
}

const kinds: ReadonlyMap<unknown, Block["kind"]> = new Map([
  ["text", "text"],
  ["thinking", "thinking"],
  ["tool_use", "tool"],
]);

export function startBlock(start: JsonObject, context: DecodeContext): Block {
  const kind = kinds.get(start["type"]) ?? "opaque";
  const call = kind === "tool" ? readBlock(start, context) : undefined;
  return {
    kind,
    start,
    startedAt: kind === "thinking" ? context.now() : 0,
    call: call?.type === "tool-call" ? call : undefined,
    text: "",
    signature: "",
    fields: new Map(),
    part: undefined,
  };
}

/** The text a block starts with, usually empty: deltas follow. */
export const openingText = (block: Block): string =>
  block.kind === "text"
    ? asText(block.start["text"])
    : block.kind === "thinking"
      ? asText(block.start["thinking"] ?? block.start["text"])
      : "";

/** Adds a delta that is not text: strings and citation lists grow, anything else is replaced. */
export function addField(block: Block, name: string, value: JsonValue | undefined): void {
  const before = block.fields.get(name) ?? block.start[name];
  block.fields.set(
    name,
    typeof value === "string" && typeof before === "string" ? before + value : value,
  );
}

export function addCitation(block: Block, citation: JsonValue): void {
  const before = block.fields.get("citations") ?? block.start["citations"];
  block.fields.set("citations", [...(Array.isArray(before) ? before : []), citation]);
}

/** Adds a signature delta. An identical second one is a repetition, a different one is the rest. */
export function addSignature(block: Block, signature: string): void {
  if (block.signature !== signature) block.signature += signature;
}

export function finishBlock(block: Block, context: DecodeContext): AssistantPart {
  const { kind, start, call } = block;
  const { text } = block;
  if (call !== undefined) {
    return text === "" ? call : { ...call, ...parseToolInput(text) };
  }
  const whole = { ...start, ...Object.fromEntries(block.fields) };
  if (kind === "text") return readBlock({ ...whole, text }, context);
  if (kind === "opaque") {
    const input = text === "" ? {} : { input: parseObject(text).input };
    return readBlock({ ...whole, ...input }, context);
  }
  const signature = block.signature || asText(start["signature"]);
  const { startedAt } = block;
  const durationMs = Math.max(0, context.now() - startedAt);
  const thought = readThinking({ ...whole, thinking: text, signature }, context);
  return { startedAt, durationMs, ...thought };
}

/** What is kept of a block whose stream broke: readable, never sent; nothing where it was empty. */
export function cutBlock(block: Block, context: DecodeContext): readonly AssistantPart[] {
  const { call, startedAt } = block;
  const { text } = block;
  if (call !== undefined) return [cutCall(call, text)];
  if (text === "" || block.kind === "opaque") return [];
  return block.kind === "text"
    ? [cutText(text)]
    : [cutThought(text, visibilityOf(context.origin.model), { startedAt })];
}
