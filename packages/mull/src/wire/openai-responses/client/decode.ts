import type { Reply } from "../../../types/event.ts";
import { isJsonObject } from "../../../types/json.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { protocolError } from "../../common/answer.ts";
import { errorInAnswer } from "./error.ts";
import { asObjects, partsOfItem } from "./parts.ts";
import { replyOf } from "./reply.ts";

/** Decodes a whole answer. Throws where it reports a failure with status 200. */
export function decode(body: unknown, context: DecodeContext): Reply {
  const { provider } = context.origin;
  if (!isJsonObject(body))
    throw protocolError("the answer is no JSON object", "not_a_response", context);
  const failed = body["status"] === "failed";
  if (!Array.isArray(body["output"]) && !failed) {
    if (isJsonObject(body["error"])) throw errorInAnswer(body, { provider });
    throw protocolError("the answer has no `output` list", "not_a_response", context);
  }
  const parts = asObjects(body["output"]).flatMap((item) => partsOfItem(item, context));
  const reply = replyOf(body, parts, context);
  if (failed) throw errorInAnswer(body, { provider, partial: reply });
  return reply;
}
