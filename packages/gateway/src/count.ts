import { countTokens, type ChatTarget, type WireId } from "mull";
import { isJsonObject } from "mull/wire";

import { carryIn } from "./carry-in.ts";
import { answerHead, type ClientCall, type GatewayParts } from "./client-call.ts";
import { jsonAnswer, type ClientAnswer } from "./client-exchange.ts";
import type { ServiceConnection } from "./connections.ts";
import { toRequest } from "./to-request.ts";
import { nativeOrigin, readRequest, sendingOptions } from "./translate.ts";

/** Counts a request as it would be sent to the model that answers. */
export async function count(
  call: ClientCall,
  target: ChatTarget,
  upstream: ServiceConnection,
  parts: GatewayParts,
): Promise<ClientAnswer> {
  const { wire, receipt } = call;
  const asked = readRequest(unwrapped(call));
  const carried = carryIn(asked.messages, nativeOrigin(call, target, upstream), parts.codec);
  const { request } = toRequest(asked, wire, target, carried.messages);
  const options = sendingOptions(upstream, parts, call.signal);
  const { tokens, reason } = await countTokens(target, request, options);
  if (reason !== undefined)
    receipt.fields.notes = [{ code: "tokens-estimated", severity: "info", message: reason }];
  receipt.end();
  return jsonAnswer(countBody(wire, tokens), answerHead(call));
}

/** Google counts contents, or a whole request in a field of its own. */
function unwrapped(call: ClientCall): ClientCall {
  const { generateContentRequest: inner } = call.body;
  if (call.wire !== "google-generate" || !isJsonObject(inner)) return call;
  return { ...call, body: inner, text: JSON.stringify(inner) };
}

/** A count as a service of this wire tells it. */
function countBody(wire: WireId, tokens: number): object {
  switch (wire) {
    case "anthropic-messages":
      return { input_tokens: tokens };
    case "google-generate":
      return {
        totalTokens: tokens,
        promptTokensDetails: [{ modality: "TEXT", tokenCount: tokens }],
      };
    case "openai-responses":
    case "openai-chat":
      return { object: "response.input_tokens", input_tokens: tokens };
    default:
      return wire satisfies never;
  }
}
