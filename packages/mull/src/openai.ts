export { openai } from "./providers/openai.ts";
export { openaiChatProvider } from "./providers/openai-chat.ts";
export { openaiChat } from "./wire/openai-chat/index.ts";
export { openaiResponses } from "./wire/openai-responses/index.ts";
