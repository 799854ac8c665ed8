import type { MullError } from "../../../types/error.ts";
import type { StreamEvent } from "../../../types/event.ts";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { AssistantPart, ToolCallPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import {
  grow,
  newText,
  wholeText,
  type GrowingText,
  cutCall,
  cutText,
  cutThought,
} from "../../common/answer.ts";
import { asText } from "../../common/json-reading.ts";
import { limits } from "../../common/limits.ts";
import { otherFields, readBlock, readThinking, visibilityOf } from "./parts.ts";
import { parseObject, parseToolInput } from "../../common/tool-input.ts";

/** A block while it streams. */
interface Block {
  readonly kind: "text" | "thinking" | "tool" | "opaque";
  readonly start: JsonObject;
  readonly startedAt: number;
  /** The call's id and name, known from the start. */
  readonly call: ToolCallPart | undefined;
  /** What the deltas add up to: text, thinking, or JSON. */
  readonly text: GrowingText;
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

function startBlock(start: JsonObject, context: DecodeContext): Block {
  const kind = kinds.get(start["type"]) ?? "opaque";
  const call = kind === "tool" ? readBlock(start, context) : undefined;
  return {
    kind,
    start,
    startedAt: kind === "thinking" ? context.now() : 0,
    call: call?.type === "tool-call" ? call : undefined,
    text: newText(),
    signature: "",
    fields: new Map(),
    part: undefined,
  };
}

/** The text a block starts with, usually empty: deltas follow. */
const openingText = (block: Block): string =>
  block.kind === "text"
    ? asText(block.start["text"])
    : block.kind === "thinking"
      ? asText(block.start["thinking"] ?? block.start["text"])
      : "";

/** Adds a delta that is not text: strings and citation lists grow, anything else is replaced. */
function addField(block: Block, name: string, value: JsonValue | undefined): void {
  const before = block.fields.get(name) ?? block.start[name];
  block.fields.set(
    name,
    typeof value === "string" && typeof before === "string" ? before + value : value,
  );
}

function addCitation(block: Block, citation: JsonValue): void {
  const before = block.fields.get("citations") ?? block.start["citations"];
  block.fields.set("citations", [...(Array.isArray(before) ? before : []), citation]);
}

/** Adds a signature delta. An identical second one is a repetition, a different one is the rest. */
function addSignature(block: Block, signature: string): void {
  if (block.signature !== signature) block.signature += signature;
}

function finishBlock(block: Block, context: DecodeContext): AssistantPart {
  const { kind, start, call } = block;
  const text = wholeText(block.text);
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

/** What is kept of a block whose stream broke: readable, never sent; nothing if it was empty. */
function cutBlock(block: Block, context: DecodeContext): readonly AssistantPart[] {
  const { call, startedAt } = block;
  const text = wholeText(block.text);
  if (call !== undefined) return [cutCall(call, text)];
  if (text === "" || block.kind === "opaque") return [];
  return block.kind === "text"
    ? [cutText(text)]
    : [cutThought(text, visibilityOf(context.origin.model), { startedAt })];
}

/** The position of a block; an impossible one becomes -1, which no block has. */
export const indexOf = (value: JsonValue | undefined): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value < limits.blocks ? value : -1;

/** What a delta adds to. */
export type DeltaKind = "text" | "thinking" | "json";

/** The blocks of a streamed answer. A block may start before the one ahead of it, so the index gives the order. */
export class BlockList {
  readonly #context: DecodeContext;
  readonly #outOfOrder: (what: string) => MullError;
  readonly #blocks: Block[] = [];
  #started = 0;

  constructor(context: DecodeContext, outOfOrder: (what: string) => MullError) {
    this.#context = context;
    this.#outOfOrder = outOfOrder;
  }

  /** What arrived: finished blocks whole, the others cut. */
  parts(): readonly AssistantPart[] {
    return this.#blocks.flatMap((block) => block.part ?? cutBlock(block, this.#context));
  }

  begin(index: number, start: JsonObject, out: StreamEvent[]): void {
    if (index < 0 || index > this.#started + 1) {
      throw this.#outOfOrder("content_block_start with an impossible index");
    }
    if (this.#blocks[index]) return;
    const isTaken = this.#blocks.some(({ call }) => call !== undefined && call.id === start["id"]);
    const block = startBlock(isTaken ? { ...start, id: "" } : start, this.#context);
    this.#blocks[index] = block;
    this.#started++;
    const { call } = block;
    if (call) out.push({ type: "tool-call", index, id: call.id, name: call.name });
    this.append(index, block.kind === "thinking" ? "thinking" : "text", openingText(block), out);
  }

  /** A block that comes without deltas. */
  addWhole(block: JsonObject, out: StreamEvent[]): void {
    const index = this.#started;
    this.begin(index, block, out);
    this.close(index, out);
  }

  append(index: number, kind: DeltaKind, delta: string, out: StreamEvent[]): void {
    const block = this.#at(index, "content_block_delta");
    if (block.part) throw this.#outOfOrder("content_block_delta for a block that has ended");
    if (delta === "") return;
    const { kind: of } = block;
    if (of === "opaque" && kind !== "json") return addField(block, kind, delta);
    grow(block.text, delta);
    if (kind === "json") {
      if (of === "tool") out.push({ type: "tool-input", index, delta });
      else if (of !== "opaque") throw this.#outOfOrder(`input_json_delta in a ${of} block`);
    } else if (of === "thinking") out.push({ type: "thinking", index, delta });
    else if (of === kind) out.push({ type: "text", index, delta });
    else throw this.#outOfOrder(`${kind}_delta in a ${of} block`);
  }

  add(index: number, delta: JsonObject, out: StreamEvent[]): void {
    const block = this.#at(index, "content_block_delta");
    switch (asText(delta["type"])) {
      case "text_delta":
        return this.append(index, "text", asText(delta["text"]), out);
      case "thinking_delta":
        return this.append(index, "thinking", asText(delta["thinking"] ?? delta["text"]), out);
      case "input_json_delta":
        return this.append(index, "json", asText(delta["partial_json"]), out);
      case "signature_delta":
        return addSignature(block, asText(delta["signature"]));
      case "citations_delta":
        return addCitation(block, delta["citation"] ?? null);
      default:
        if (block.kind !== "opaque") return;
        for (const [name, value] of Object.entries(otherFields(delta, ["type"]))) {
          addField(block, name, value);
        }
    }
  }

  close(index: number, out: StreamEvent[]): void {
    const block = this.#at(index, "content_block_stop");
    if (block.part) return;
    block.part = finishBlock(block, this.#context);
    out.push({ type: "part", index, part: block.part });
  }

  closeAll(out: StreamEvent[]): void {
    this.#blocks.forEach((_, index) => this.close(index, out));
  }

  #at(index: number, event: string): Block {
    const block = this.#blocks[index];
    if (block) return block;
    throw this.#outOfOrder(`${event} for a block that never started`);
  }
}
