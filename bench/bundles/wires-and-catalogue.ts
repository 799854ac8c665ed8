/** Every wire and every model the library knows. */
export { findModel } from "mull";
export { anthropicMessages } from "mull/anthropic";
export { googleGenerate } from "mull/google";
export { openaiChat, openaiResponses } from "mull/openai";
