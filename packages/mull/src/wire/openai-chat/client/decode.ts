import type { MullError } from "../../../types/error.ts";
import type { Reply } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { protocolError } from "../../common/answer.ts";
import { Assembler } from "./assemble.ts";
import { decodeInBandError } from "../../common/openai-errors.ts";
import { createEnvelope, keepMetadata, replyOf, type Envelope } from "./parts.ts";
import { findUsage } from "../../common/openai-usage.ts";
import { asObject } from "../../common/json-reading.ts";

/** Decodes a whole `chat.completion`. The first choice is the answer. */
export function decode(body: unknown, context: DecodeContext): Reply {
  const { provider } = context.origin;
  const broken = (code: string, what: string): MullError =>
    protocolError(`chat.completion: ${what}`, code, context);
  if (!isJsonObject(body)) throw broken("empty_response", "the body is not a JSON object");
  const choice = firstChoice(body);
  if (choice === undefined || isComplaint(body)) {
    throw isComplaint(body)
      ? decodeInBandError(body, provider)
      : broken("empty_response", "the body has no choices");
  }
  const envelope = createEnvelope();
  readEnvelope(body, choice, envelope);
  const message = choice["message"] ?? choice["delta"];
  const assembler = new Assembler(context, false, broken);
  if (isJsonObject(message)) {
    assembler.read(message);
    keepMetadata("message", message, envelope.metadata);
  } else if (typeof choice["text"] === "string") assembler.text(choice["text"]);
  if (isJsonObject(choice["logprobs"])) envelope.metadata.set("logprobs", choice["logprobs"]);
  return replyOf(assembler.close(), envelope, context);
}

/** The choice with index 0; the only one if servers send no index. */
export function firstChoice(body: JsonObject): JsonObject | undefined {
  const { choices } = body;
  if (!Array.isArray(choices)) return undefined;
  return choices.find(
    (choice): choice is JsonObject =>
      isJsonObject(choice) && (choice["index"] === 0 || typeof choice["index"] !== "number"),
  );
}

/** Reads everything but the message from a chunk or body. The first id and the last usage win. */
export function readEnvelope(
  body: JsonObject,
  choice: JsonObject | undefined,
  envelope: Envelope,
): void {
  const { id, model } = body;
  if (typeof id === "string") envelope.id ||= id;
  if (typeof model === "string") envelope.model ||= model;
  envelope.usage = findUsage(body, choice) ?? envelope.usage;
  keepMetadata("body", body, envelope.metadata);
  if (choice === undefined) return;
  const finish = choice["finish_reason"];
  // Some servers say `""` in every chunk but the last.
  if (typeof finish === "string") envelope.finish ||= finish;
  keepMetadata("choice", choice, envelope.metadata);
}

/** Whether a body is an error in place of an answer. */
export const isComplaint = ({ error, object, base_resp }: JsonObject): boolean =>
  isSomething(error) || object === "error" || Number(asObject(base_resp)["status_code"] ?? 0) !== 0;

const isSomething = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && value !== "";
