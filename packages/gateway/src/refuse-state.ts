import { MullError, type JsonObject, type WireId } from "mull";
import { isJsonObject } from "mull/wire";

/** A refusal with the details its client looks for. */
export interface StateRefusal {
  readonly error: MullError;
  readonly details?: JsonObject;
}

const refuse = (message: string, code: string, field: string, fix: string): MullError =>
  new MullError(message, { category: "invalid_argument", code, field, fix });

/**
 * Refuses what lives at a service of the client's own vendor, where another one answers: nothing of
 * it can be looked up there, and the gateway keeps nothing.
 */
export function refuseState(wire: WireId, body: JsonObject): StateRefusal | undefined {
  if (wire === "anthropic-messages") return refuseThread(body);
  if (wire !== "openai-responses") return undefined;
  const field = ["previous_response_id", "conversation"].find((name) => body[name] != null);
  if (field !== undefined)
    return {
      error: refuse(
        `${field}: the answer to go on from is not stored here`,
        "previous_response_not_found",
        field,
        "set store: false and send the whole conversation in input",
      ),
    };
  const input = Array.isArray(body["input"]) ? body["input"] : [];
  const at = input.findIndex((item) => isJsonObject(item) && item["type"] === "item_reference");
  if (at >= 0)
    return {
      error: refuse(
        `input[${at}]: the item it refers to is not stored here`,
        "item_not_found",
        `input[${at}]`,
        "set store: false and include: ['reasoning.encrypted_content'], and send items whole",
      ),
    };
  if (body["background"] === true)
    return {
      error: refuse(
        "background: this model answers while you wait",
        "unsupported_parameter",
        "background",
        "leave background out and set store: false",
      ),
    };
  return undefined;
}

/** The SDK's tool runner sends everything again without threads when it is told so in these words. */
function refuseThread(body: JsonObject): StateRefusal | undefined {
  if (body["thread"] == null || body["thread"] === false) return undefined;
  return {
    error: refuse(
      "thread: this request cannot be threaded",
      "thread_unsupported_request",
      "thread",
      "send the whole conversation in messages",
    ),
    details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
  };
}
