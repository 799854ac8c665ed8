/** The server's side of every wire: for emulators, gateways and tests. */
export { anthropicMessagesMirror } from "./wire/anthropic-messages/service/mirror.ts";
export { googleGenerateMirror } from "./wire/google-generate/service/mirror.ts";
export { openaiChatMirror } from "./wire/openai-chat/service/mirror.ts";
export { openaiResponsesMirror } from "./wire/openai-responses/service/mirror.ts";
export type { ServerSentEvent } from "./types/http.ts";
export type { ServeContext, ServeError, WireMirror } from "./types/wire.ts";
