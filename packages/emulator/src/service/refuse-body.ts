import type { JsonObject, WireId } from "mull";

import { localServerOf } from "./host.ts";
import { invalidRequest, type Refusal } from "./service.ts";

/** What each service answers to a body that it cannot read. */
const unreadable: Readonly<Record<WireId, Refusal>> = {
  "anthropic-messages": invalidRequest("http/json", "The request body is not valid JSON."),
  "openai-responses": openaiUnreadable(),
  "openai-chat": openaiUnreadable(),
  "google-generate": invalidRequest(
    "http/json",
    "Invalid JSON payload received. Unexpected end of string.",
    { type: "INVALID_ARGUMENT" },
  ),
};

function openaiUnreadable(): Refusal {
  return invalidRequest(
    "http/json",
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)",
  );
}

export const refuseUnreadable = (wire: WireId): Refusal => unreadable[wire];

/** What shapes an answer, which counting has none of. */
const ofAnswers = ["max_tokens", "stop_sequences", "stream", "temperature", "top_k", "top_p"];

/** Anthropic counts no request that also says how it shall be answered. */
export function refuseUncounted(wire: WireId, body: JsonObject): Refusal | undefined {
  const field = wire === "anthropic-messages" ? ofAnswers.find((name) => name in body) : undefined;
  return field === undefined
    ? undefined
    : invalidRequest("http/count", `${field}: Extra inputs are not permitted`);
}

/**
 * OpenAI looks at the content type. With another one than JSON, Chat Completions finds no model and
 * Responses names the header. The trap: `fetch` with a string body sends `text/plain` by default.
 */
export const refuseContentType = (
  wire: WireId,
  headers: Headers,
  url: URL,
): Refusal | undefined => {
  const type = headers.get("content-type") ?? "";
  if (type === "" || /^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return undefined;
  if (localServerOf(url) !== undefined) return undefined;
  const rule = "http/content-type";
  if (wire === "openai-chat") return invalidRequest(rule, "you must provide a model parameter");
  if (wire !== "openai-responses") return undefined;
  return invalidRequest(
    rule,
    `Unsupported content type: '${type}'. This API method only accepts 'application/json' requests, but you specified the header 'Content-Type: ${type}'. Please try again with a supported content type.`,
    { code: "unsupported_content_type" },
  );
};
