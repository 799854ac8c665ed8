/** Agents and requests that know only the provider they are given, without rules and repairs, for small bundles. */
export { CoreAgent as Agent } from "./agent/core-agent.ts";
export { createBudget } from "./agent/budget.ts";
export type { AgentOptions } from "./agent/options.ts";
export { tool } from "./agent/tool.ts";
export { History } from "./history/history.ts";
export { targetOf } from "./providers/target-of.ts";
export { openChat, type ChatHooks, type ChatResult, type ChatStream } from "./chat/chat.ts";
export type { ChatOptions } from "./chat/request-options.ts";
export type { ChatTarget } from "./chat/compose.ts";
export { isMullError, MullError } from "./types/error.ts";
export type { StreamEvent } from "./types/event.ts";
export type { ChatRequest } from "./types/request.ts";
