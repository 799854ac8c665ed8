/** OpenAI as a provider and its two wires. */
export { openai, openaiChatProvider } from "./providers/openai.ts";
export { openaiChat } from "./wire/openai-chat/index.ts";
export { openaiResponses } from "./wire/openai-responses/index.ts";
