export { openai, openaiChatProvider } from "./providers/openai.ts";
