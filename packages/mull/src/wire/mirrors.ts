import type { WireId } from "../types/message.ts";
import type { WireMirror } from "../types/wire.ts";
import { anthropicMessagesMirror } from "./anthropic-messages/service/mirror.ts";
import { googleGenerateMirror } from "./google-generate/service/mirror.ts";
import { openaiChatMirror } from "./openai-chat/service/mirror.ts";
import { openaiResponsesMirror } from "./openai-responses/service/mirror.ts";

/** The service's side of every wire, by its id: reads requests, writes replies, streams and errors. */
export const mirrors: Readonly<Record<WireId, WireMirror>> = {
  "anthropic-messages": anthropicMessagesMirror,
  "openai-responses": openaiResponsesMirror,
  "openai-chat": openaiChatMirror,
  "google-generate": googleGenerateMirror,
};
