import type { WireId } from "../types/message.ts";
import type { Wire } from "../types/wire.ts";
import { anthropicMessages } from "./anthropic-messages/index.ts";
import { googleGenerate } from "./google-generate/index.ts";
import { openaiChat } from "./openai-chat/index.ts";
import { openaiResponses } from "./openai-responses/index.ts";

/** The client's side of every wire, by id: writes requests, reads streams and errors. */
export const wires: Readonly<Record<WireId, Wire>> = {
  "anthropic-messages": anthropicMessages,
  "openai-responses": openaiResponses,
  "openai-chat": openaiChat,
  "google-generate": googleGenerate,
};
