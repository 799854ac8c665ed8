import type { Reply } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { makeReply } from "../../common/answer.ts";
import { valueTexts } from "../../common/value-texts.ts";
import { streamedError } from "./error.ts";
import { asText, otherFields, brokenAnswer, readBlock, readFinish, readUsage } from "./parts.ts";

export function decode(body: unknown, context: DecodeContext): Reply {
  if (isJsonObject(body) && isJsonObject(body["error"])) {
    throw streamedError(body, context.origin.provider);
  }
  if (!isJsonObject(body) || !Array.isArray(body["content"])) {
    throw brokenAnswer("the answer is not a message", "invalid_response", context);
  }
  const blocks = body["content"].filter(isJsonObject);
  const textOf = context.text === undefined ? undefined : valueTexts(context.text, "input");
  const parts = blocks.map((block) => {
    const part = readBlock(block, context);
    const isCall = part.type === "tool-call" && part.invalid === undefined;
    const inputText = isCall ? textOf?.(block["input"]) : undefined;
    return inputText === undefined ? part : { ...part, inputText };
  });
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
