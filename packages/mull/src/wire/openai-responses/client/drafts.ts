import type { MullError } from "../../../types/error.ts";
import type { StreamEvent } from "../../../types/event.ts";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { AssistantPart, ThinkingPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { limits } from "../../common/limits.ts";
import {
  cutCall,
  cutText,
  cutThought,
  grow,
  hasNoText,
  newText,
  wholeText,
  type GrowingText,
} from "../../common/answer.ts";
import { asObject, asText } from "../../common/json-reading.ts";
import { partsOfItem, reasoningSeal, someText } from "./parts.ts";

export type BlockKind = "text" | "refusal" | "summary" | "thought" | "input";

/** A part while it arrives. */
export interface Block {
  /** Position told to the reader, in order of appearance. */
  readonly index: number;
  readonly event: "text" | "thinking" | "tool-input";
  kind: BlockKind;
  readonly text: GrowingText;
  /** The summary or content part being written. */
  place: number;
}

interface Item {
  readonly position: number;
  readonly added: JsonObject;
  readonly startedAt: number;
  readonly callId: string;
  /** The service gave the id to an earlier call of this answer, too: `callId` was made here. */
  readonly isTaken: boolean;
  /** By content index, in order of appearance. Everything but a message has one at most. */
  readonly blocks: Map<number, Block>;
  /** Set once the item is whole. */
  parts?: readonly AssistantPart[];
}

/** The kinds of block an item may have. Items that are not listed are kept whole at their end. */
const kindsOf = new Map<unknown, readonly [BlockKind, BlockKind]>([
  ["message", ["text", "refusal"]],
  ["reasoning", ["summary", "thought"]],
  ["function_call", ["input", "input"]],
  ["custom_tool_call", ["input", "input"]],
]);

const isPosition = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const eventOf = (kind: BlockKind): Block["event"] =>
  kind === "input" ? "tool-input" : kind === "summary" || kind === "thought" ? "thinking" : "text";

/** Appends a piece and emits its event. Parts of a thought are separated by a blank line. */
function appendDelta(
  block: Block,
  kind: BlockKind,
  place: number,
  delta: string,
  out: StreamEvent[],
): void {
  if (hasNoText(block.text)) block.kind = kind;
  // Some servers stream the same thought twice, as summary and as text: the first one counts.
  else if (block.kind !== kind) return;
  let piece = delta;
  if (delta !== "" && place !== block.place) {
    if (block.event === "thinking" && !hasNoText(block.text)) piece = `\n\n${delta}`;
    block.place = place;
  }
  grow(block.text, piece);
  out.push({ type: block.event, index: block.index, delta: piece });
}

/** The items of an answer while it arrives. */
export class Drafts {
  readonly #context: DecodeContext;
  readonly #impossible: (type: string, why: string) => MullError;
  readonly #items = new Map<number, Item>();
  #blockCount = 0;

  constructor(context: DecodeContext, impossible: (type: string, why: string) => MullError) {
    this.#context = context;
    this.#impossible = impossible;
  }

  /** Adds a delta. Returns its block if the next delta may go on there, and `undefined` if not. */
  append(
    frame: JsonObject,
    type: string,
    [kind, field]: readonly [BlockKind, string],
    out: StreamEvent[],
  ): Block | undefined {
    const at = frame[field];
    const place = typeof at === "number" ? at : 0;
    const block = this.#blockFor(frame, type, kind, place);
    if (block === undefined) return undefined;
    appendDelta(block, kind, place, asText(frame["delta"]), out);
    return block.kind === kind && block.place === place ? block : undefined;
  }

  open(frame: JsonObject, type: string, out: StreamEvent[]): void {
    if (this.#find(frame) !== undefined) return;
    this.#start(frame["output_index"], asObject(frame["item"]), type, out);
  }

  openContent(frame: JsonObject, type: string): void {
    const item = this.#find(frame);
    const place = frame["content_index"];
    if (item?.added["type"] !== "message" || typeof place !== "number") return;
    if (item.parts === undefined && !item.blocks.has(place))
      this.#addBlock(item, place, "text", type);
  }

  close(frame: JsonObject, type: string, out: StreamEvent[]): void {
    const final = asObject(frame["item"]);
    const item = this.#find(frame) ?? this.#start(frame["output_index"], final, type, out);
    if (item.parts === undefined) this.#finish(item, final, type, out);
  }

  /** An item as the closing event repeats it: finishes what is open, fills in a late seal. */
  settle(final: JsonObject, position: number, out: StreamEvent[]): void {
    const type = "response.completed";
    const item = this.#items.get(position) ?? this.#start(position, final, type, out);
    if (item.parts === undefined) this.#finish(item, final, type, out);
    else if (final["type"] === "reasoning" && asText(final["encrypted_content"]) !== "")
      item.parts = item.parts.map((part) => lateSeal(part, final, this.#context));
  }

  /** The answer has ended: open texts count as whole, open calls as cut. */
  closeOpen(out: StreamEvent[]): void {
    for (const item of this.#items.values()) {
      if (item.parts !== undefined) continue;
      const open = [...item.blocks.values()].flatMap((block) =>
        cutPart(item, block, this.#elapsed(item)).map((part) => ({ block, part: uncut(part) })),
      );
      item.parts = open.map(({ part }) => part);
      for (const { block, part } of open) out.push({ type: "part", index: block.index, part });
    }
  }

  /** All parts in the order of the service; what is not whole is cut and never sent. */
  parts(): readonly AssistantPart[] {
    const items = [...this.#items.values()].toSorted((a, b) => a.position - b.position);
    return items.flatMap(
      (item) =>
        item.parts ??
        [...item.blocks.values()].flatMap((block) => cutPart(item, block, this.#elapsed(item))),
    );
  }

  #find(frame: JsonObject): Item | undefined {
    const position = frame["output_index"];
    if (typeof position === "number") return this.#items.get(position);
    const id = frame["item_id"] ?? asObject(frame["item"])["id"];
    return [...this.#items.values()].findLast((item) => item.added["id"] === id);
  }

  /** The block a delta belongs to; `undefined` when the delta is to be ignored. */
  #blockFor(frame: JsonObject, type: string, kind: BlockKind, place: number): Block | undefined {
    const item = this.#find(frame);
    if (item === undefined) throw this.#impossible(type, "belongs to no item that was started");
    const kinds = kindsOf.get(item.added["type"]);
    if (kinds === undefined || item.parts !== undefined) return undefined;
    if (!kinds.includes(kind)) throw this.#impossible(type, "does not fit the item it belongs to");
    const at = kinds[0] === "text" ? place : 0;
    return item.blocks.get(at) ?? this.#addBlock(item, at, kind, type);
  }

  #addBlock(item: Item, place: number, kind: BlockKind, type: string): Block {
    if (this.#blockCount >= limits.blocks) {
      throw this.#impossible(type, `opens more than ${limits.blocks} blocks`);
    }
    const index = this.#blockCount++;
    const block: Block = { index, event: eventOf(kind), kind, text: newText(), place: -1 };
    item.blocks.set(place, block);
    return block;
  }

  #start(at: JsonValue | undefined, added: JsonObject, type: string, out: StreamEvent[]): Item {
    const position = at ?? this.#items.size;
    if (!isPosition(position) || position > this.#items.size + 1) {
      throw this.#impossible(type, "has an impossible output_index");
    }
    const kind = kindsOf.get(added["type"])?.[0];
    const given = kind === "input" ? (someText(added["call_id"]) ?? someText(added["id"])) : "";
    const isTaken =
      kind === "input" && [...this.#items.values()].some((item) => item.callId === given);
    const item: Item = {
      position,
      added,
      startedAt: this.#context.now(),
      callId: (isTaken ? undefined : given) ?? this.#context.newId(),
      isTaken,
      blocks: new Map(),
    };
    this.#items.set(position, item);
    if (kind === undefined || kind === "text") return item;
    const { index } = this.#addBlock(item, 0, kind, type);
    if (kind === "input") {
      out.push({ type: "tool-call", index, id: item.callId, name: asText(added["name"]) });
    }
    return item;
  }

  #finish(item: Item, final: JsonObject, type: string, out: StreamEvent[]): void {
    const blocks = [...item.blocks.values()];
    const { startedAt, durationMs } = this.#elapsed(item);
    const own = item.isTaken ? { ...final, call_id: item.callId } : final;
    item.parts = partsOfItem(own, this.#context, item.callId).map((part, at) => {
      const block = blocks[at] ?? this.#addBlock(item, blocks.length + at, "text", type);
      const whole = part.type === "thinking" ? { startedAt, durationMs, ...part } : part;
      tellRest(block, whole, final, out);
      out.push({ type: "part", index: block.index, part: whole });
      return whole;
    });
  }

  #elapsed({ startedAt }: Item): Required<Pick<ThinkingPart, "startedAt" | "durationMs">> {
    return { startedAt, durationMs: Math.max(0, this.#context.now() - startedAt) };
  }
}

/** Emits what was not streamed, so that the deltas of a part always add up to the part. */
function tellRest(block: Block, part: AssistantPart, final: JsonObject, out: StreamEvent[]): void {
  const { index } = block;
  const text = wholeText(block.text);
  const whole =
    part.type === "tool-call"
      ? (someText(final["arguments"]) ?? asText(final["input"]))
      : part.type === "text" || part.type === "thinking"
        ? part.text
        : "";
  if (whole.length <= text.length || !whole.startsWith(text)) return;
  const type =
    part.type === "tool-call" ? "tool-input" : part.type === "thinking" ? "thinking" : "text";
  out.push({ type, index, delta: whole.slice(text.length) });
}

/** Azure sends the encrypted content in the closing event only. */
function lateSeal(part: AssistantPart, final: JsonObject, context: DecodeContext): AssistantPart {
  if (part.type !== "thinking" || part.seal?.data["encrypted_content"] !== undefined) return part;
  return { ...part, ...reasoningSeal(final, context) };
}

function uncut(part: AssistantPart): AssistantPart {
  if (part.type !== "text" && part.type !== "thinking") return part;
  const { cut: _cut, send: _send, ...whole } = part;
  return whole;
}

function cutPart(
  item: Item,
  block: Block,
  elapsed: Pick<ThinkingPart, "startedAt" | "durationMs">,
): readonly AssistantPart[] {
  const { kind, event } = block;
  const text = wholeText(block.text);
  if (event === "tool-input") {
    return [cutCall({ id: item.callId, name: asText(item.added["name"]) }, text)];
  }
  if (text === "") return [];
  if (event === "text") return [cutText(text, kind === "refusal")];
  return [cutThought(text, kind === "summary" ? "summary" : "full", elapsed)];
}
