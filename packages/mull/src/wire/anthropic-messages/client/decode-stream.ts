import type { MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { DecodeContext, HotDelta, StreamDecoder } from "../../../types/wire.ts";
import { cutReply, startEvent } from "../../common/answer.ts";
import { parseObject } from "../../common/tool-input.ts";
import { BlockList, indexOf, type DeltaKind } from "./blocks.ts";
import { toReply, otherFields, brokenAnswer } from "./parts.ts";
import { streamedError } from "./error.ts";
import { asObject, asObjects, asText } from "../../common/json-reading.ts";

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
export function decodeStream(context: DecodeContext): StreamDecoder {
  const hot = context.hotReader?.(findDelta);
  let message: JsonObject | undefined;
  let usage: JsonObject = {};
  let frames = 0;
  let reply: Reply | undefined;
  const fail = (text: string, code: string): MullError =>
    brokenAnswer(text, code, context, partial());
  const blocks = new BlockList(context, (text) => fail(text, "out_of_order"));
  const whole = (): Reply => toReply({ ...message, usage }, blocks.parts(), context);
  const partial = (): Reply => reply ?? cutReply(whole());
  const open = (envelope: JsonObject, out: StreamEvent[]): void => {
    if (message) return;
    const { content, ...rest } = envelope;
    message = rest;
    if (isJsonObject(rest["usage"])) usage = rest["usage"];
    out.push(startEvent(asText(rest["id"]), asText(rest["model"])));
    // Continuing a code execution, the service puts the pending calls here and streams no blocks.
    for (const block of asObjects(content)) blocks.addWhole(block, out);
  };
  const update = (frame: JsonObject): void => {
    if (isJsonObject(frame["usage"])) usage = { ...usage, ...otherFields(frame["usage"], []) };
    const delta = otherFields(asObject(frame["delta"]), []);
    message = { ...message, ...otherFields(frame, ["type", "delta", "usage"]), ...delta };
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
        return blocks.begin(index, asObject(frame["content_block"]), out);
      case "content_block_delta":
        return blocks.add(index, asObject(frame["delta"]), out);
      case "content_block_stop":
        return blocks.close(index, out);
      case "message_delta":
        return update(frame);
      case "message_stop":
        blocks.closeAll(out);
        reply = whole();
        out.push({ type: "finish", reply });
        return;
      default:
    }
  };
  const push = (data: string, event: string | undefined, out: StreamEvent[]): void => {
    if (reply) return;
    frames++;
    const known = hot?.read(data);
    if (known) return blocks.append(known.to.index, known.to.kind, known.text, out);
    if (data.trim() === "[DONE]") return;
    const { input, invalid } = parseObject(data);
    if (invalid) {
      const reason = invalid.reason.replace("arguments are", "its data is");
      throw fail(`event ${frames} (${event ?? "unnamed"}): ${reason}`, "invalid_json");
    }
    const frame = asObject(input);
    step(frame, asText(frame["type"]) || (event ?? ""), out);
    hot?.learn(data, frame);
  };
  const end = (): void => {
    if (reply) return;
    if (frames === 0) throw brokenAnswer("the answer is empty", "empty_response", context);
    throw fail("the stream ended without message_stop", "truncated");
  };
  return { push, end, finished: () => reply !== undefined, partial };
}
