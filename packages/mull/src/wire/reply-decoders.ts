import type { WireId } from "../types/message.ts";
import type { ReplyDecoder } from "../types/wire.ts";
import { decode as anthropicMessages } from "./anthropic-messages/client/decode.ts";
import { decode as googleGenerate } from "./google-generate/client/decode.ts";
import { decode as openaiChat } from "./openai-chat/client/decode.ts";
import { decode as openaiResponses } from "./openai-responses/client/decode.ts";

/** Decodes whole answers, by wire. Apart from the wires: what mull asks for itself is always streamed. */
export const replyDecoders: Readonly<Record<WireId, ReplyDecoder>> = {
  "anthropic-messages": anthropicMessages,
  "openai-responses": openaiResponses,
  "openai-chat": openaiChat,
  "google-generate": googleGenerate,
};
