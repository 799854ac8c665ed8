import type { MullError } from "../../../types/error.ts";
import type { Finish, FinishReason, Reply } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { AssistantPart, ThinkingPart, WireExtra, WireId } from "../../../types/message.ts";
import type { Usage } from "../../../types/usage.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { makeReply, makeSeal, makeUsage, protocolError, extraFor } from "../../common/answer.ts";
import { asObject, asObjects, asText, readCount } from "../../common/json-reading.ts";
import { checkToolInput } from "../../common/tool-input.ts";
import { valueTexts } from "../../common/value-texts.ts";

/** What reading a block needs; only streams need the clock. */
export type BlockContext = Omit<DecodeContext, "now">;

export const wire: WireId = "anthropic-messages";

/** The kind of an opaque part that changes the effort inside the conversation. */
export const effortUpdate = "effort-update";

export const brokenAnswer = (
  message: string,
  code: string,
  context: BlockContext,
  partial?: Reply,
): MullError => protocolError(`${context.origin.provider}: ${message}`, code, context, partial);

/** The fields that `known` does not name. `null` counts as absent on this wire. */
export function otherFields(object: JsonObject, known: readonly string[]): JsonObject {
  const others = Object.keys(object).filter((key) => object[key] != null && !known.includes(key));
  return others.length > 0 ? Object.fromEntries(others.map((key) => [key, object[key]])) : {};
}

/** The fields of a block that mull does not model, to be written back on this wire. */
export const extraOf = (
  block: JsonObject,
  known: readonly string[],
): { readonly extra?: WireExtra } => extraFor(wire, otherFields(block, known));

/** Reads the blocks of a whole body in turn, with the arguments of calls as they are in its text. */
export function createBlockReader(context: BlockContext): (block: JsonObject) => AssistantPart {
  const textOf = context.text === undefined ? undefined : valueTexts(context.text, "input");
  return (block) => {
    const part = readBlock(block, context);
    const isCall = part.type === "tool-call" && part.invalid === undefined;
    const inputText = isCall ? textOf?.(block["input"]) : undefined;
    return inputText === undefined ? part : { ...part, inputText };
  };
}

/** One finished block of an answer, or of an assistant message in a request. */
export function readBlock(block: JsonObject, context: BlockContext): AssistantPart {
  const type = asText(block["type"]);
  if (type === "tool_use") return readToolUse(block, context);
  if (checkToolInput(block).invalid) {
    throw brokenAnswer("a content block is nested too deep", "too_deep", context);
  }
  switch (type) {
    case "text":
      return { type: "text", text: asText(block["text"]), ...extraOf(block, ["type", "text"]) };
    case "thinking":
      return readThinking(block, context);
    case "redacted_thinking":
      return {
        type: "thinking",
        text: "",
        visibility: "redacted",
        seal: makeSeal({ redacted: asText(block["data"]) }, context),
        ...extraOf(block, ["type", "data"]),
      };
    default:
      return { type: "opaque", wire, kind: type, data: block };
  }
}

export function readThinking(block: JsonObject, context: BlockContext): ThinkingPart {
  const own = typeof block["thinking"] === "string" ? "thinking" : "text";
  const text = asText(block[own]);
  const signature = asText(block["signature"]);
  // Endpoints that check no signatures still want their thinking back.
  const isSealed = signature !== "" || context.quirks?.unsignedThinking === true;
  return {
    type: "thinking",
    text,
    visibility: text === "" ? "hidden" : visibilityOf(context.origin.model),
    ...(isSealed && { seal: makeSeal({ signature }, context) }),
    ...extraOf(block, ["type", "thinking", "text", "signature"]),
  };
}

/** How much of a thought a model shows: Claude 4 and later a summary, 3.7 and other vendors' models all of it. */
export const visibilityOf = (model: string): "full" | "summary" =>
  model.includes("claude") && !model.includes("claude-3-7") ? "summary" : "full";

function readToolUse(block: JsonObject, context: BlockContext): AssistantPart {
  const id = asText(block["id"]);
  return {
    type: "tool-call",
    id: id || context.newId(),
    name: asText(block["name"]),
    ...checkToolInput(block["input"]),
    ...(id === "" && { localId: true }),
    ...extraOf(block, ["type", "id", "name", "input"]),
  };
}

const finishReasons: ReadonlyMap<JsonValue | undefined, FinishReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "tool-calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refusal"],
  ["sensitive", "content-filter"],
  ["pause_turn", "pause"],
  ["compaction", "pause"],
]);

function readFinish(
  raw: JsonValue | undefined,
  details: JsonValue | undefined,
  parts: readonly AssistantPart[],
): Finish {
  const reason = finishReasons.get(raw);
  if (typeof raw !== "string" || reason === undefined) {
    return {
      reason: parts.some((part) => part.type === "tool-call") ? "tool-calls" : "stop",
      ...(typeof raw === "string" && { raw }),
      note:
        typeof raw === "string"
          ? "the stop reason is not known to mull"
          : "the service gave no stop reason",
    };
  }
  const { explanation, category } = asObject(details);
  const note = asText(explanation ?? category);
  return { reason, raw, ...(note && { note }) };
}

/**
 * `output_tokens` includes thinking, and `output_tokens_details` says how much. A top-level
 * `thinking_tokens`, which some gateways send, is not part of the output.
 */
function readUsage(raw: JsonObject): Usage {
  const within = readCount(asObject(raw["output_tokens_details"])["thinking_tokens"]);
  const thinking = within ?? readCount(raw["thinking_tokens"]);
  const input = readCount(raw["input_tokens"]);
  const cacheRead = readCount(raw["cache_read_input_tokens"]);
  const cacheWrite = readCount(raw["cache_creation_input_tokens"]);
  const kept = asObject(raw["cache_creation"]);
  const cacheWriteHour = readCount(kept["ephemeral_1h_input_tokens"]) || undefined;
  const all = readCount(raw["output_tokens"]);
  const output = all === undefined || within === undefined ? all : Math.max(0, all - within);
  const [summaryInput, summaryOutput] = [ofSummaries(raw, "input"), ofSummaries(raw, "output")];
  const others = [cacheRead, cacheWrite, thinking, summaryInput, summaryOutput];
  const total =
    input === undefined || output === undefined
      ? undefined
      : others.reduce<number>((sum, count = 0) => sum + count, input + output);
  const counts = { input, cacheRead, cacheWrite, cacheWriteHour, output, thinking };
  return makeUsage(raw, { ...counts, total, summaryInput, summaryOutput }, [
    within !== undefined &&
      within > (all ?? 0) &&
      `thinking_tokens ${within} exceed output_tokens ${all ?? "(absent)"}`,
  ]);
}

/** What the service took to shorten the conversation: its totals leave it out. */
const ofSummaries = ({ iterations }: JsonObject, which: string): number | undefined =>
  asObjects(iterations)
    .filter(({ type }) => type === "compaction")
    .flatMap((pass) => Object.entries(pass))
    .filter(([name]) => name.endsWith(`${which}_tokens`))
    .reduce((sum, [, count]) => sum + (readCount(count) ?? 0), 0) || undefined;

/** The fields of an answer that mull has a place for. */
export const modelled: readonly string[] = [
  "id",
  "type",
  "role",
  "model",
  "content",
  "stop_reason",
  "usage",
];

/** Makes a reply from the parts and the envelope, which is the message without its content. */
export function toReply(
  message: JsonObject,
  parts: readonly AssistantPart[],
  context: DecodeContext,
): Reply {
  const { id, model, stop_reason: reason, stop_details: details, usage } = message;
  const said = {
    finish: readFinish(reason, details, parts),
    usage: isJsonObject(usage) ? readUsage(usage) : {},
    id: asText(id),
    servedModel: asText(model),
    metadata: otherFields(message, modelled),
  };
  return makeReply(parts, said, context);
}
