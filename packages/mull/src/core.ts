/** One request to one provider, without catalogue, rules and repairs, for small bundles. */
export { openChat, type ChatHooks, type ChatResult, type ChatStream } from "./chat/chat.ts";
export type { ChatOptions } from "./chat/options.ts";
export type { ChatTarget } from "./chat/compose.ts";
export { isMullError, MullError } from "./types/error.ts";
export type { StreamEvent } from "./types/event.ts";
export type { ChatRequest } from "./types/request.ts";
