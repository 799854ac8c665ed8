import type { MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext, StreamDecoder } from "../../../types/wire.ts";
import { cutReply } from "../../common/answer.ts";
import { grow } from "../../common/growing-text.ts";
import { createHotReader, type HotDelta } from "../../common/hot-delta.ts";
import { limits } from "../../common/limits.ts";
import { parseObject } from "../../common/tool-input.ts";
import {
  addCitation,
  addField,
  addSignature,
  cutBlock,
  finishBlock,
  openingText,
  startBlock,
  type Block,
} from "./block.ts";
import { toReply } from "./decode.ts";
import { streamedError } from "./error.ts";
import { asObject, asText } from "../../common/json-reading.ts";
import { otherFields, brokenAnswer } from "./parts.ts";

/** An impossible index becomes -1, which no block has. */
const indexOf = (value: JsonValue | undefined): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value < limits.blocks ? value : -1;

type DeltaKind = "text" | "thinking" | "json";

interface DeltaPlace {
  readonly index: number;
  readonly kind: DeltaKind;
}

/** Deltas of text: the field it stands in, and the kind of block that takes it. */
const textDeltas: ReadonlyMap<unknown, readonly [key: string, kind: DeltaKind]> = new Map([
  ["text_delta", ["text", "text"]],
  ["thinking_delta", ["thinking", "thinking"]],
  ["input_json_delta", ["partial_json", "json"]],
]);

function findDelta({ type, index, delta }: JsonObject): HotDelta<DeltaPlace> | undefined {
  if (type !== "content_block_delta" || !isJsonObject(delta)) return undefined;
  const [key, kind] = textDeltas.get(delta["type"]) ?? [];
  const text = key === undefined ? undefined : delta[key];
  return key === undefined || kind === undefined || typeof text !== "string"
    ? undefined
    : { key, text, to: { index: indexOf(index), kind } };
}

/** Decodes a streamed answer. */
export function decodeStream(context: DecodeContext, isFast = true): StreamDecoder {
  const blocks: Block[] = [];
  const hot = createHotReader(findDelta);
  let message: JsonObject | undefined;
  let usage: JsonObject = {};
  let started = 0;
  let frames = 0;
  let reply: Reply | undefined;

  const fail = (text: string, code: string): MullError =>
    brokenAnswer(text, code, context, partial());

  const parts = (): readonly AssistantPart[] =>
    blocks.flatMap((block) => block.part ?? cutBlock(block, context));

  const whole = (): Reply => toReply({ ...message, usage }, parts(), context);

  const partial = (): Reply => reply ?? cutReply(whole());

  /** The block an event speaks of. Order is kept by index, so a block may start one early. */
  const blockAt = (index: number, event: string): Block => {
    const block = blocks[index];
    if (block) return block;
    throw fail(`${event} for a block that never started`, "out_of_order");
  };

  const begin = (index: number, start: JsonObject, out: StreamEvent[]): void => {
    if (index < 0 || index > started + 1) {
      throw fail("content_block_start with an impossible index", "out_of_order");
    }
    if (blocks[index]) return;
    const block = startBlock(start, context);
    blocks[index] = block;
    started++;
    const { call } = block;
    if (call) out.push({ type: "tool-call", index, id: call.id, name: call.name });
    append(index, block.kind === "thinking" ? "thinking" : "text", openingText(block), out);
  };

  const append = (index: number, kind: DeltaKind, delta: string, out: StreamEvent[]): void => {
    const block = blockAt(index, "content_block_delta");
    if (block.part) throw fail("content_block_delta for a block that has ended", "out_of_order");
    if (delta === "") return;
    const { kind: of } = block;
    if (of === "opaque" && kind !== "json") return addField(block, kind, delta);
    grow(block.text, delta);
    if (kind === "json") {
      if (of === "tool") out.push({ type: "tool-input", index, delta });
      else if (of !== "opaque") throw fail(`input_json_delta in a ${of} block`, "out_of_order");
    } else if (of === "thinking") out.push({ type: "thinking", index, delta });
    else if (of === kind) out.push({ type: "text", index, delta });
    else throw fail(`${kind}_delta in a ${of} block`, "out_of_order");
  };

  const addDelta = (index: number, delta: JsonObject, out: StreamEvent[]): void => {
    const block = blockAt(index, "content_block_delta");
    switch (asText(delta["type"])) {
      case "text_delta":
        return append(index, "text", asText(delta["text"]), out);
      case "thinking_delta":
        return append(index, "thinking", asText(delta["thinking"] ?? delta["text"]), out);
      case "input_json_delta":
        return append(index, "json", asText(delta["partial_json"]), out);
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
  };

  const close = (index: number, block: Block, out: StreamEvent[]): void => {
    if (block.part) return;
    block.part = finishBlock(block, context);
    out.push({ type: "part", index, part: block.part });
  };

  const open = (envelope: JsonObject, out: StreamEvent[]): void => {
    if (message) return;
    const { content, ...rest } = envelope;
    message = rest;
    if (isJsonObject(rest["usage"])) usage = rest["usage"];
    const id = asText(rest["id"]);
    const model = asText(rest["model"]);
    out.push({ type: "start", ...(id && { id }), ...(model && { model }) });
    // Continuing a code execution, the service puts the pending calls here and streams no blocks.
    for (const block of Array.isArray(content) ? content.filter(isJsonObject) : []) {
      const index = started;
      begin(index, block, out);
      close(index, blockAt(index, "message_start"), out);
    }
  };

  const update = (frame: JsonObject): void => {
    if (isJsonObject(frame["usage"])) usage = { ...usage, ...otherFields(frame["usage"], []) };
    const delta = isJsonObject(frame["delta"]) ? otherFields(frame["delta"], []) : {};
    message = { ...message, ...otherFields(frame, ["type", "delta", "usage"]), ...delta };
  };

  const finish = (out: StreamEvent[]): void => {
    blocks.forEach((block, index) => close(index, block, out));
    reply = whole();
    out.push({ type: "finish", reply });
  };

  const step = (frame: JsonObject, type: string, out: StreamEvent[]): void => {
    const index = indexOf(frame["index"]);
    if (type === "message_start") return open(asObject(frame["message"]), out);
    if (isJsonObject(frame["error"]))
      throw streamedError(frame, context.origin.provider, partial());
    const isKnown = type.startsWith("content_block_") || type.startsWith("message_");
    if (!message && isKnown) throw fail(`${type} before message_start`, "out_of_order");
    switch (type) {
      case "content_block_start":
        return begin(index, asObject(frame["content_block"]), out);
      case "content_block_delta":
        return addDelta(index, asObject(frame["delta"]), out);
      case "content_block_stop":
        return close(index, blockAt(index, type), out);
      case "message_delta":
        return update(frame);
      case "message_stop":
        return finish(out);
      default:
    }
  };

  const push = (data: string, event: string | undefined, out: StreamEvent[]): void => {
    if (reply) return;
    frames++;
    const known = hot.read(data);
    if (known) return append(known.to.index, known.to.kind, known.text, out);
    if (data.trim() === "[DONE]") return;
    const { input, invalid } = parseObject(data);
    if (invalid) {
      const reason = invalid.reason.replace("arguments are", "its data is");
      throw fail(`event ${frames} (${event ?? "unnamed"}): ${reason}`, "invalid_json");
    }
    const frame = asObject(input);
    step(frame, asText(frame["type"]) || (event ?? ""), out);
    if (isFast) hot.learn(data, frame);
  };

  const end = (): void => {
    if (reply) return;
    if (frames === 0) throw brokenAnswer("the answer is empty", "empty_response", context);
    throw fail("the stream ended without message_stop", "truncated");
  };

  return { push, end, finished: () => reply !== undefined, partial };
}
