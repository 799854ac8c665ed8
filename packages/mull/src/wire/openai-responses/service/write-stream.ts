import type { Reply } from "../../../types/event.ts";
import type { ServerSentEvent } from "../../../types/http.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { ServeContext } from "../../../types/wire.ts";
import { asObjects, asText } from "../client/parts.ts";
import { encodeReply, responseFrame, statusOf } from "./write-reply.ts";

type Emit = (type: string, fields: JsonObject) => void;
type Pieces = ServeContext["pieces"];

/** Writes a streamed answer: every event in order, numbered. */
export function encodeStream(reply: Reply, context: ServeContext): readonly ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  const emit: Emit = (type, fields) => {
    const frame = { type, sequence_number: events.length, ...fields };
    events.push({ event: type, data: JSON.stringify(frame) });
  };
  const pieces: Pieces = (text) => (text === "" ? [] : context.pieces(text));
  const opening = responseFrame(reply, context);
  const response = encodeReply(reply, context);
  emit("response.created", { response: opening });
  emit("response.in_progress", { response: opening });
  asObjects(response["output"]).forEach((item, position) => emitItem(item, position, pieces, emit));
  const status = statusOf(reply);
  emit(`response.${status === "cancelled" ? "failed" : status}`, { response });
  return events;
}

function emitItem(item: JsonObject, position: number, pieces: Pieces, emit: Emit): void {
  const at = { item_id: asText(item["id"]) ?? "", output_index: position };
  emit("response.output_item.added", { output_index: position, item: openItem(item) });
  switch (asText(item["type"]) ?? "") {
    case "reasoning":
      emitReasoning(item, at, pieces, emit);
      break;
    case "message":
      asObjects(item["content"]).forEach((part, index) => {
        emitContent(part, { ...at, content_index: index }, pieces, emit);
      });
      break;
    case "function_call":
      emitInput("function_call_arguments", "arguments", item, at, pieces, emit);
      break;
    case "custom_tool_call":
      emitInput("custom_tool_call_input", "input", item, at, pieces, emit);
      break;
    default:
  }
  emit("response.output_item.done", { output_index: position, item });
}

/** An item as it is announced: empty, and with a first piece of its seal that is no use to anybody. */
function openItem(item: JsonObject): JsonObject {
  const sealed = asText(item["encrypted_content"]);
  switch (asText(item["type"]) ?? "") {
    case "reasoning": {
      const { content: _, ...rest } = item;
      const cut =
        sealed === undefined ? {} : { encrypted_content: sealed.slice(0, sealed.length >> 1) };
      return { ...rest, summary: [], ...cut };
    }
    case "message":
      return { ...item, status: "in_progress", content: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    case "custom_tool_call":
      return { ...item, status: "in_progress", input: "" };
    default:
      return item;
  }
}

function emitReasoning(item: JsonObject, at: JsonObject, pieces: Pieces, emit: Emit): void {
  asObjects(item["summary"]).forEach((part, index) => {
    const place = { ...at, summary_index: index };
    const text = asText(part["text"]) ?? "";
    emit("response.reasoning_summary_part.added", { ...place, part: { ...part, text: "" } });
    for (const delta of pieces(text))
      emit("response.reasoning_summary_text.delta", { ...place, delta });
    emit("response.reasoning_summary_text.done", { ...place, text });
    emit("response.reasoning_summary_part.done", { ...place, part });
  });
  asObjects(item["content"]).forEach((part, index) => {
    const place = { ...at, content_index: index };
    const text = asText(part["text"]) ?? "";
    emit("response.content_part.added", { ...place, part: { ...part, text: "" } });
    for (const delta of pieces(text)) emit("response.reasoning_text.delta", { ...place, delta });
    emit("response.reasoning_text.done", { ...place, text });
    emit("response.content_part.done", { ...place, part });
  });
}

function emitContent(part: JsonObject, place: JsonObject, pieces: Pieces, emit: Emit): void {
  const isRefusal = part["type"] === "refusal";
  const field = isRefusal ? "refusal" : "text";
  const text = asText(part[field]) ?? "";
  const isText = isRefusal || part["type"] === "output_text";
  emit("response.content_part.added", { ...place, part: isText ? { ...part, [field]: "" } : part });
  if (isText) {
    const name = isRefusal ? "response.refusal" : "response.output_text";
    const more = isRefusal ? {} : { logprobs: [] };
    for (const delta of pieces(text)) emit(`${name}.delta`, { ...place, delta, ...more });
    asObjects(part["annotations"]).forEach((annotation, index) => {
      emit("response.output_text.annotation.added", {
        ...place,
        annotation_index: index,
        annotation,
      });
    });
    emit(`${name}.done`, { ...place, [field]: text, ...more });
  }
  emit("response.content_part.done", { ...place, part });
}

function emitInput(
  name: string,
  field: string,
  item: JsonObject,
  at: JsonObject,
  pieces: Pieces,
  emit: Emit,
): void {
  const text = asText(item[field]) ?? "";
  for (const delta of pieces(text)) emit(`response.${name}.delta`, { ...at, delta });
  emit(`response.${name}.done`, { ...at, [field]: text });
}
