import type { MullError } from "../../../types/error.ts";
import type { StreamEvent } from "../../../types/event.ts";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { AssistantPart, ThinkingPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { limits } from "../../common/limits.ts";
import { cutCall, cutText, cutThought } from "../../common/answer.ts";
import {
  grow,
  hasNoText,
  newText,
  type GrowingText,
  wholeText,
} from "../../common/growing-text.ts";
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
  /** By content index, in order of appearance. Everything but a message has one at most. */
  readonly blocks: Map<number, Block>;
  /** Set once the item is whole. */
  parts?: readonly AssistantPart[];
}

/** The items of an answer while it arrives. */
export interface Drafts {
  /** The block a delta belongs to; `undefined` when the delta is to be ignored. */
  readonly blockFor: (
    frame: JsonObject,
    type: string,
    kind: BlockKind,
    place: number,
  ) => Block | undefined;
  readonly open: (frame: JsonObject, type: string, out: StreamEvent[]) => void;
  readonly openContent: (frame: JsonObject, type: string) => void;
  readonly close: (frame: JsonObject, type: string, out: StreamEvent[]) => void;
  /** An item as the closing event repeats it: finishes what is open, fills in a late seal. */
  readonly settle: (final: JsonObject, position: number, out: StreamEvent[]) => void;
  /** The answer is over: texts that were never closed are whole, calls are not. */
  readonly closeOpen: (out: StreamEvent[]) => void;
  /** All parts in the order of the service; what is not whole is cut and never sent. */
  readonly parts: () => readonly AssistantPart[];
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

/** Appends a piece and emits its event. A new part of a thought starts with a blank line. */
export function appendDelta(
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

export function createDrafts(
  context: DecodeContext,
  impossible: (type: string, why: string) => MullError,
): Drafts {
  const items = new Map<number, Item>();
  let blockCount = 0;

  const addBlock = (item: Item, place: number, kind: BlockKind, type: string): Block => {
    if (blockCount >= limits.blocks) {
      throw impossible(type, `opens more than ${limits.blocks} blocks`);
    }
    const block: Block = {
      index: blockCount++,
      event: eventOf(kind),
      kind,
      text: newText(),
      place: -1,
    };
    item.blocks.set(place, block);
    return block;
  };

  const find = (frame: JsonObject): Item | undefined => {
    const position = frame["output_index"];
    if (typeof position === "number") return items.get(position);
    const id = frame["item_id"] ?? asObject(frame["item"])["id"];
    return [...items.values()].findLast((item) => item.added["id"] === id);
  };

  const start = (
    at: JsonValue | undefined,
    added: JsonObject,
    type: string,
    out: StreamEvent[],
  ): Item => {
    const position = at ?? items.size;
    if (!isPosition(position) || position > items.size + 1) {
      throw impossible(type, "has an impossible output_index");
    }
    const kind = kindsOf.get(added["type"])?.[0];
    const callId = kind === "input" ? (someText(added["call_id"]) ?? someText(added["id"])) : "";
    const item: Item = {
      position,
      added,
      startedAt: context.now(),
      callId: callId ?? context.newId(),
      blocks: new Map(),
    };
    items.set(position, item);
    if (kind === undefined || kind === "text") return item;
    const { index } = addBlock(item, 0, kind, type);
    if (kind === "input") {
      out.push({ type: "tool-call", index, id: item.callId, name: asText(added["name"]) });
    }
    return item;
  };

  const finish = (item: Item, final: JsonObject, type: string, out: StreamEvent[]): void => {
    const blocks = [...item.blocks.values()];
    item.parts = partsOfItem(final, context, item.callId).map((part, at) => {
      const block = blocks[at] ?? addBlock(item, blocks.length + at, "text", type);
      const whole = part.type === "thinking" ? { ...part, ...elapsed(item) } : part;
      tellRest(block, whole, final, out);
      out.push({ type: "part", index: block.index, part: whole });
      return whole;
    });
  };

  const elapsed = (item: Item): Pick<ThinkingPart, "startedAt" | "durationMs"> => ({
    startedAt: item.startedAt,
    durationMs: Math.max(0, context.now() - item.startedAt),
  });

  const partsOf = (item: Item): readonly AssistantPart[] =>
    item.parts ?? [...item.blocks.values()].flatMap((block) => cutPart(item, block, elapsed(item)));

  return {
    blockFor: (frame, type, kind, place) => {
      const item = find(frame);
      if (item === undefined) throw impossible(type, "belongs to no item that was started");
      const kinds = kindsOf.get(item.added["type"]);
      if (kinds === undefined || item.parts !== undefined) return undefined;
      if (!kinds.includes(kind)) throw impossible(type, "does not fit the item it belongs to");
      const at = kinds[0] === "text" ? place : 0;
      return item.blocks.get(at) ?? addBlock(item, at, kind, type);
    },
    open: (frame, type, out) => {
      if (find(frame) !== undefined) return;
      start(frame["output_index"], asObject(frame["item"]), type, out);
    },
    openContent: (frame, type) => {
      const item = find(frame);
      const place = frame["content_index"];
      if (item?.added["type"] !== "message" || typeof place !== "number") return;
      if (item.parts === undefined && !item.blocks.has(place)) addBlock(item, place, "text", type);
    },
    close: (frame, type, out) => {
      const final = asObject(frame["item"]);
      const item = find(frame) ?? start(frame["output_index"], final, type, out);
      if (item.parts === undefined) finish(item, final, type, out);
    },
    settle: (final, position, out) => {
      const item = items.get(position) ?? start(position, final, "response.completed", out);
      if (item.parts === undefined) finish(item, final, "response.completed", out);
      else if (
        final["type"] === "reasoning" &&
        someText(final["encrypted_content"]) !== undefined
      ) {
        item.parts = item.parts.map((part) => lateSeal(part, final, context));
      }
    },
    closeOpen: (out) => {
      for (const item of items.values()) {
        if (item.parts !== undefined) continue;
        const open = [...item.blocks.values()].flatMap((block) =>
          cutPart(item, block, elapsed(item)).map((part) => ({ block, part: uncut(part) })),
        );
        item.parts = open.map(({ part }) => part);
        for (const { block, part } of open) out.push({ type: "part", index: block.index, part });
      }
    },
    parts: () => [...items.values()].toSorted((a, b) => a.position - b.position).flatMap(partsOf),
  };
}

/** Pieces that were not streamed: the deltas of a part always add up to the part. */
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

/** Azure tells the encrypted content in the closing event only. */
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
