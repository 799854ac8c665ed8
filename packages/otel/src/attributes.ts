import type { Attributes } from "@opentelemetry/api";
import { isMullError, type Observation, type Receipt, type Usage } from "mull";

/** The observation of one type. */
export type Seen<T extends Observation["type"]> = Extract<Observation, { readonly type: T }>;

/** What the conventions call vendors that we call otherwise. */
const providerNames: ReadonlyMap<string, string> = new Map([
  ["google", "gcp.gemini"],
  ["openai-chat", "openai"],
  ["azure", "azure.ai.openai"],
  ["mistral", "mistral_ai"],
  ["moonshot", "moonshot_ai"],
  ["xai", "x_ai"],
]);

/** What spans and metrics are grouped by. */
export const whoOf = (operation: string, provider: string, model: string): Attributes => ({
  "gen_ai.operation.name": operation,
  "gen_ai.provider.name": providerNames.get(provider) ?? provider,
  "gen_ai.request.model": model,
});

/** The attributes of a request as it is sent. */
export function requestAttributes({ plan, request, endpoint }: Seen<"composed">): Attributes {
  const { hostname, port, protocol } = new URL(endpoint);
  const { temperature, topP, topK, stopSequences, maxOutputTokens, output } = request;
  return {
    ...whoOf("chat", plan.provider, plan.model),
    "gen_ai.request.stream": true,
    "gen_ai.request.reasoning.level": plan.asked,
    "mull.request.reasoning.applied": plan.applied,
    "mull.wire": plan.wire,
    "server.address": hostname,
    "server.port": port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
    ...(maxOutputTokens !== undefined && { "gen_ai.request.max_tokens": maxOutputTokens }),
    ...(temperature !== undefined && { "gen_ai.request.temperature": temperature }),
    ...(topP !== undefined && { "gen_ai.request.top_p": topP }),
    ...(topK !== undefined && { "gen_ai.request.top_k": topK }),
    ...(stopSequences !== undefined && { "gen_ai.request.stop_sequences": [...stopSequences] }),
    ...(output !== undefined && { "gen_ai.output.type": "json" }),
  };
}

/** The conventions count cached tokens as input and thinking as output. A count nobody gave stays away. */
export function usageAttributes(usage: Omit<Usage, "raw">): Attributes {
  const { input, cacheRead, cacheWrite, output, thinking } = usage;
  return {
    ...(input !== undefined && {
      "gen_ai.usage.input_tokens": input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    }),
    ...(output !== undefined && { "gen_ai.usage.output_tokens": output + (thinking ?? 0) }),
    ...(cacheRead !== undefined && { "gen_ai.usage.cache_read.input_tokens": cacheRead }),
    ...(cacheWrite !== undefined && { "gen_ai.usage.cache_write.input_tokens": cacheWrite }),
    ...(thinking !== undefined && { "gen_ai.usage.reasoning.output_tokens": thinking }),
  };
}

/** What a request took and who served it. */
export const receiptAttributes = (receipt: Receipt): Attributes => ({
  ...(receipt.usage !== undefined && usageAttributes(receipt.usage)),
  ...(receipt.cost !== undefined && { "mull.usage.cost_usd": receipt.cost.total }),
  ...(receipt.servedModel !== undefined && { "gen_ai.response.model": receipt.servedModel }),
  ...(receipt.simulated === true && { "mull.simulated": true }),
});

/** The answer's id and why it ended. */
export const replyAttributes = ({ reply }: Seen<"end">): Attributes =>
  reply === undefined
    ? {}
    : {
        "gen_ai.response.finish_reasons": [reply.finish.reason],
        ...(reply.id !== undefined && { "gen_ai.response.id": reply.id }),
      };

/** A word to group errors by, never a sentence. */
export const errorType = (error: unknown): string =>
  isMullError(error)
    ? (error.code ?? error.category)
    : error instanceof Error
      ? error.name
      : "_OTHER";
