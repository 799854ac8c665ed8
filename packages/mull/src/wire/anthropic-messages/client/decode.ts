import type { Reply } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { valueTexts } from "../../common/value-texts.ts";
import { streamedError } from "./error.ts";
import { asText, otherFields, protocolError, readBlock, readFinish, readUsage } from "./parts.ts";

export function decode(body: unknown, context: DecodeContext): Reply {
  if (isJsonObject(body) && isJsonObject(body["error"])) {
    throw streamedError(body, context.origin.provider);
  }
  if (!isJsonObject(body) || !Array.isArray(body["content"])) {
    throw protocolError("the answer is not a message", "invalid_response", context);
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
  const id = asText(message["id"]);
  const servedModel = asText(message["model"]);
  const metadata = otherFields(message, modelled);
  const usage = message["usage"];
  return {
    message: { role: "assistant", parts, origin: context.origin },
    finish: readFinish(message["stop_reason"], message["stop_details"], parts),
    usage: isJsonObject(usage) ? readUsage(usage) : {},
    ...(id && { id }),
    ...(servedModel && { servedModel }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
