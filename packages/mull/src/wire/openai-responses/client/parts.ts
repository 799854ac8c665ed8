import type { Finish } from "../../../types/event.ts";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type {
  AssistantPart,
  Seal,
  ThinkingPart,
  ToolCallPart,
  WireExtra,
} from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { makeSeal, extraFor } from "../../common/answer.ts";
import { asObject, asObjects, asText, hasKeys } from "../../common/json-reading.ts";
import { checkToolInput, parseToolInput, type ToolInput } from "../../common/tool-input.ts";

export const wireId = "openai-responses";

/** What reading a part needs. It has no clock: only streams stamp parts. */
export type PartContext = Omit<DecodeContext, "now">;

/** The value if it is a text that says something. */
export const someText = (value: unknown): string | undefined => asText(value) || undefined;

const sealOf = (data: JsonObject, context: PartContext): { readonly seal?: Seal } =>
  hasKeys(data) ? { seal: makeSeal(data, context) } : {};

/** What mull does not model of a content part; empty lists say nothing and are left out. */
const extraOf = (fields: JsonObject): { readonly extra?: WireExtra } => {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return extraFor(wireId, Object.fromEntries(kept));
};

const joinTexts = (list: unknown): string =>
  asObjects(list)
    .flatMap((part) => someText(part["text"]) ?? [])
    .join("\n\n");

/** The seal of a reasoning item: everything that goes back; none if it has neither id nor encrypted content. */
export function reasoningSeal(item: JsonObject, context: PartContext): { readonly seal?: Seal } {
  const { type: _type, status: _status, created_by: _by, ...data } = item;
  const isSealed = (someText(data["id"]) ?? someText(data["encrypted_content"])) !== undefined;
  return isSealed ? sealOf(data, context) : {};
}

/** A reasoning item is one part: its summary is for people, the rest of it is the seal. */
function thinkingPart(item: JsonObject, context: PartContext): ThinkingPart {
  const summary = joinTexts(item["summary"]);
  const text = summary || joinTexts(item["content"]);
  const visibility = summary ? "summary" : text ? "full" : "hidden";
  return { type: "thinking", text, visibility, ...reasoningSeal(item, context) };
}

function messageParts(item: JsonObject, context: PartContext): readonly AssistantPart[] {
  const { type: _type, status: _status, created_by: _by, role: _role, content, ...data } = item;
  const sealed = sealOf(data, context);
  if (typeof content === "string") return [{ type: "text", text: content, ...sealed }];
  return asObjects(content).map((part) => contentPart(part, sealed, item));
}

function contentPart(
  part: JsonObject,
  sealed: { readonly seal?: Seal },
  item: JsonObject,
): AssistantPart {
  const { type, text, refusal, reasoning_content: thought, ...rest } = part;
  if (type === "refusal" && typeof refusal === "string") {
    return { type: "text", text: refusal, refusal: true, ...sealed, ...extraOf(rest) };
  }
  if (type === "reasoning_content" || type === "reasoning_text") {
    const shown = someText(thought) ?? asText(text);
    return { type: "thinking", text: shown, visibility: "full" };
  }
  if ((type === "output_text" || type === "text") && typeof text === "string") {
    return { type: "text", text, ...sealed, ...extraOf(rest) };
  }
  return { type: "opaque", wire: wireId, kind: "message", data: { ...item, content: [part] } };
}

function toolCallPart(item: JsonObject, context: PartContext, known?: string): ToolCallPart {
  const { type, status, created_by: _by, call_id: callId, name, input, ...rest } = item;
  // Some gateways copy fields of the stream's envelope into the item.
  const { arguments: args, item_id: _itemId, output_index: _index, ...data } = rest;
  const given = someText(callId) ?? someText(item["id"]);
  const isCut = status === "incomplete";
  const read = type === "custom_tool_call" ? { input: input ?? "" } : readArguments(args);
  return {
    type: "tool-call",
    id: given ?? known ?? context.newId(),
    name: asText(name),
    ...read,
    ...(given === undefined && { localId: true }),
    ...(isCut && { cut: true, send: false }),
    ...sealOf(data, context),
  };
}

const readArguments = (args: JsonValue | undefined): ToolInput =>
  typeof args === "string" ? parseToolInput(args) : checkToolInput(args);

/** The parts of one output item, in order. An unknown item is kept whole. */
export function partsOfItem(
  item: JsonObject,
  context: PartContext,
  knownCallId?: string,
): readonly AssistantPart[] {
  const kind = someText(item["type"]) ?? "unknown";
  switch (kind) {
    case "reasoning":
      return [thinkingPart(item, context)];
    case "reasoning_content":
      return messageParts({ content: [item] }, context);
    case "message":
      return messageParts(item, context);
    case "function_call":
    case "custom_tool_call":
      return [toolCallPart(item, context, knownCallId)];
    default:
      return [{ type: "opaque", wire: wireId, kind, data: item }];
  }
}

const incompleteReasons = new Map<string, Finish["reason"]>([
  ["max_output_tokens", "length"],
  ["max_tokens", "length"],
  ["max_messages", "length"],
  ["content_filter", "content-filter"],
  ["steered", "pause"],
]);

export function finishOf(response: JsonObject, parts: readonly AssistantPart[]): Finish {
  const status = someText(response["status"]);
  const raw = status === undefined ? {} : { raw: status };
  if (status === "incomplete") {
    const why = someText(asObject(response["incomplete_details"])["reason"]);
    const reason = incompleteReasons.get(why ?? "") ?? "stop";
    return { reason, ...raw, note: why ?? "the service gave no reason" };
  }
  if (status === "cancelled" || status === "failed") return { reason: "error", ...raw };
  if (status === "queued" || status === "in_progress") return { reason: "pause", ...raw };
  if (parts.some((part) => part.type === "tool-call")) return { reason: "tool-calls", ...raw };
  if (parts.some((part) => part.type === "text" && part.refusal === true)) {
    return { reason: "refusal", ...raw };
  }
  return { reason: "stop", ...raw };
}
