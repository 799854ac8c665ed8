import type { Reply } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { makeReply, protocolError } from "../../common/answer.ts";
import { readUsage } from "../../common/openai-usage.ts";
import { decodeInBandError } from "../../common/openai-errors.ts";
import { asObjects } from "../../common/json-reading.ts";
import { finishOf, partsOfItem, someText } from "./parts.ts";

/** Decodes a whole answer. Throws if it reports a failure with status 200. */
export function decode(body: unknown, context: DecodeContext): Reply {
  const { provider } = context.origin;
  if (!isJsonObject(body))
    throw protocolError("the answer is not a JSON object", "not_a_response", context);
  const failed = body["status"] === "failed";
  if (!Array.isArray(body["output"]) && !failed) {
    if (isJsonObject(body["error"])) throw decodeInBandError(body, provider);
    throw protocolError("the answer has no `output` list", "not_a_response", context);
  }
  const parts = asObjects(body["output"]).flatMap((item) => partsOfItem(item, context));
  const reply = replyOf(body, parts, context);
  if (failed) throw decodeInBandError(body, provider, reply);
  return reply;
}

/** Fields of a response that are read elsewhere or only repeat the request. */
const notMetadata: ReadonlySet<string> = new Set(
  (
    "id object status model output usage error incomplete_details output_text created_at " +
    "completed_at background instructions max_output_tokens max_tool_calls parallel_tool_calls " +
    "previous_response_id prompt_cache_key prompt_cache_retention safety_identifier store " +
    "temperature text tool_choice tools top_logprobs top_p truncation user frequency_penalty " +
    "presence_penalty conversation prompt include input"
  ).split(" "),
);

/** `default` says that nothing special happened. */
const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === "default" ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** What the service said besides its answer. `reasoning` is the echo, unless it is a text. */
const metadataOf = (response: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(response).filter(
      ([key, value]) =>
        !notMetadata.has(key) && !isEmpty(value) && !(key === "reasoning" && isJsonObject(value)),
    ),
  );

export function replyOf(
  response: JsonObject,
  parts: readonly AssistantPart[],
  context: DecodeContext,
): Reply {
  const { id, model, reasoning, usage } = response;
  const isEcho = isJsonObject(reasoning) && !Object.values(reasoning).every(isEmpty);
  const isOutside = context.quirks?.thinkingOutsideOutput === true;
  const said = {
    finish: finishOf(response, parts),
    usage: isJsonObject(usage) ? readUsage(usage, isOutside, false, true) : {},
    id: someText(id),
    servedModel: someText(model),
    echo: isEcho ? reasoning : undefined,
    metadata: metadataOf(response),
  };
  return makeReply(parts, said, context);
}
