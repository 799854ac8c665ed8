export { openai } from "./providers/openai.ts";
export { openaiChatProvider } from "./providers/openai-chat.ts";
