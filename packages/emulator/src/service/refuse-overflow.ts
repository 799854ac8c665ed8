import type { JsonObject } from "mull";
import type { ServeError } from "mull/wire";

import { promptTokens } from "./compose-reply.ts";
import { vendorOf } from "./failures.ts";
import { refuseToCompact } from "./refuse-beyond.ts";
import type { ServiceExchange, Refusal, Service } from "./service.ts";

const tooLong = (service: Service, tokens: number, window: number): ServeError => {
  const words = {
    anthropic: {
      type: "invalid_request_error",
      message: `prompt is too long: ${tokens} tokens > ${window} maximum`,
    },
    openai: {
      type: "invalid_request_error",
      message:
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
      code: "context_length_exceeded",
      param: service.wire === "openai-chat" ? "messages" : "input",
    },
    google: {
      type: "INVALID_ARGUMENT",
      message: `The input token count exceeds the maximum number of tokens allowed (${window}).`,
    },
  }[vendorOf[service.wire]];
  return { status: 400, ...words };
};

/**
 * A prompt that does not fit into the model's window, or that the service would shorten; `truncation: "auto"` lets
 * OpenAI shorten it.
 */
export const refuseOverflow = (
  service: Service,
  { model, wire }: ServiceExchange,
  body: JsonObject,
): Refusal | undefined => {
  const tokens = promptTokens(service, body);
  const tooLongToAnswer = refuseToCompact({ wire, body }, tokens);
  if (tooLongToAnswer !== undefined) return tooLongToAnswer;
  if (model.window === undefined || body["truncation"] === "auto") return undefined;
  return tokens > model.window
    ? { rule: "model/window", error: tooLong(service, tokens, model.window) }
    : undefined;
};
