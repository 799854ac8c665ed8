import type { Reply } from "../../../types/event.ts";
import { isJsonObject } from "../../../types/json.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { streamedError } from "./error.ts";
import { brokenAnswer, createBlockReader, toReply } from "./parts.ts";

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
