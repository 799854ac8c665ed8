import type { Reply } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { makeReply } from "../../common/answer.ts";
import { streamedError } from "./error.ts";
import { asText } from "../../common/json-reading.ts";
import { brokenAnswer, createBlockReader, otherFields, readFinish, readUsage } from "./parts.ts";

export function decode(body: unknown, context: DecodeContext): Reply {
  if (isJsonObject(body) && isJsonObject(body["error"])) {
    throw streamedError(body, context.origin.provider);
  }
  if (!isJsonObject(body) || !Array.isArray(body["content"])) {
    throw brokenAnswer("the answer is not a message", "invalid_response", context);
  }
  const parts = body["content"].filter(isJsonObject).map(createBlockReader(context));
  return toReply(body, parts, context);
}

const modelled = ["id", "type", "role", "model", "content", "stop_reason", "usage"];

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
