import type { WireId } from "../types/message.ts";
import type { TokenCounter } from "../types/wire.ts";
import { anthropicCounter } from "./anthropic-messages/client/count.ts";
import { googleCounter } from "./google-generate/client/count.ts";
import { responsesCounter } from "./openai-responses/client/count.ts";

/** How tokens are counted on each wire. Chat Completions has no endpoint for it. */
export const counters: Readonly<Record<WireId, TokenCounter | undefined>> = {
  "anthropic-messages": anthropicCounter,
  "openai-responses": responsesCounter,
  "openai-chat": undefined,
  "google-generate": googleCounter,
};
