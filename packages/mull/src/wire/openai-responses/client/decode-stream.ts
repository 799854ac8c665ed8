import type { MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { DecodeContext, StreamDecoder } from "../../../types/wire.ts";
import { cutReply, protocolError, startEvent, grow } from "../../common/answer.ts";
import { type Block, type BlockKind, Drafts } from "./drafts.ts";
import { decodeInBandError } from "../../common/openai-errors.ts";
import { asObject, asObjects, asText, tryParse } from "../../common/json-reading.ts";
import { someText } from "./parts.ts";
import { replyOf } from "./decode.ts";

/** Events that carry a piece of a part: the kind of block that takes it, and the field of its place. */
const deltas = new Map<string, readonly [kind: BlockKind, place: string]>([
  ["response.output_text.delta", ["text", "content_index"]],
  ["response.refusal.delta", ["refusal", "content_index"]],
  ["response.reasoning_summary_text.delta", ["summary", "summary_index"]],
  ["response.reasoning_text.delta", ["thought", "content_index"]],
  ["response.reasoning_content.delta", ["thought", "content_index"]],
  ["response.function_call_arguments.delta", ["input", ""]],
  ["response.custom_tool_call_input.delta", ["input", ""]],
]);

/** Decodes a streamed answer. */
export function decodeStream(context: DecodeContext): StreamDecoder {
  const isNew = createRepetitionFilter();
  /** The block that the last delta was added to, if the next one may be added there too. */
  let lastBlock: Block | undefined;
  const hot = context.hotReader?.<Block>(
    ({ delta }) =>
      lastBlock === undefined || typeof delta !== "string"
        ? undefined
        : { key: "delta", text: delta, to: lastBlock },
    "sequence_number",
  );
  let started: JsonObject | undefined;
  let reply: Reply | undefined;
  const partial = (): Reply => reply ?? cutReply(replyOf({ ...started }, drafts.parts(), context));
  const broken = (code: string, message: string): MullError =>
    protocolError(message, code, context, partial());
  const drafts = new Drafts(context, (type, why) =>
    broken("impossible_event", `the event ${type} ${why}`),
  );
  const begin = (response: JsonObject, out: StreamEvent[]): void => {
    if (started === undefined)
      out.push(startEvent(asText(response["id"]), asText(response["model"])));
    started ??= response;
  };
  const finish = (response: JsonObject, out: StreamEvent[]): void => {
    begin(response, out);
    asObjects(response["output"]).forEach((item, position) => drafts.settle(item, position, out));
    drafts.closeOpen(out);
    reply = replyOf({ ...started, ...response }, drafts.parts(), context);
    out.push({ type: "finish", reply });
  };
  const read = (frame: JsonObject, type: string, out: StreamEvent[]): void => {
    lastBlock = undefined;
    if (!isNew(frame["sequence_number"])) return;
    const delta = deltas.get(type);
    const response = asObject(frame["response"]);
    if (delta !== undefined) lastBlock = drafts.append(frame, type, delta, out);
    else if (begins.has(type)) begin(response, out);
    else if (type === "response.output_item.added") drafts.open(frame, type, out);
    else if (type === "response.content_part.added") drafts.openContent(frame, type);
    else if (type === "response.output_item.done") drafts.close(frame, type, out);
    else if (type === "response.completed" || type === "response.incomplete") finish(response, out);
    else if (type === "response.failed" || isError(frame, type))
      throw decodeInBandError(
        type === "response.failed" ? response : frame,
        context.origin.provider,
        partial(),
      );
  };
  return {
    push: (data, event, out) => {
      if (reply !== undefined) return;
      const known = hot?.read(data);
      if (known !== undefined) {
        const { to, text, keptFrom, keptTo } = known;
        if (keptTo > 0 && !isNew(Number(data.slice(keptFrom, keptTo)))) return;
        grow(to.text, text);
        out.push({ type: to.event, index: to.index, delta: text });
        return;
      }
      if (isSaidAgain.test(event ?? "") || data.trim() === "[DONE]") return;
      const frame = tryParse(data);
      if (frame === undefined)
        throw broken("invalid_json", `the event ${event ?? "message"} is not valid JSON`);
      if (!isJsonObject(frame)) return;
      read(frame, someText(frame["type"]) ?? event ?? "", out);
      hot?.learn(data, frame);
    },
    end: () => {
      if (reply === undefined)
        throw broken("truncated", "the stream ended before the answer was complete");
    },
    finished: () => reply !== undefined,
    partial,
  };
}

const begins: ReadonlySet<string> = new Set([
  "response.created",
  "response.in_progress",
  "response.queued",
]);

/** Some gateways send an error without a type. */
const isError = ({ error }: JsonObject, type: string): boolean =>
  type === "error" || (type === "" && isJsonObject(error));

/** Every `.done` except that of an item, and the parts of a summary: the item repeats all of it. */
const isSaidAgain = /(?<!item)\.done$|summary_part/;

/**
 * Tells whether a sequence number is new. Servers that send 0 every time are ignored. Once numbers rise, one
 * that was passed is a repetition.
 */
function createRepetitionFilter(): (sequence: unknown) => boolean {
  let first = -1;
  let last = -1;
  return (sequence) => {
    if (typeof sequence !== "number" || sequence < 0) return true;
    if (first < 0) first = sequence;
    else if (sequence <= last && last > first) return false;
    if (sequence > last) last = sequence;
    return true;
  };
}
