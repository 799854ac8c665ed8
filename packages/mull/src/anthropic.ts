/** Anthropic as a provider and its wire. */
export { anthropic } from "./providers/anthropic.ts";
export { anthropicMessages } from "./wire/anthropic-messages/index.ts";
