import { invalidArgument } from "../types/error.ts";

/** Providers by id, as people write them. */
export const providerNames: ReadonlyMap<string, string> = new Map([
  ["anthropic", "Anthropic"],
  ["openai", "OpenAI"],
  ["openai-chat", "OpenAI"],
  ["google", "Google"],
  ["deepseek", "DeepSeek"],
  ["openrouter", "OpenRouter"],
  ["xai", "xAI"],
  ["groq", "Groq"],
  ["mistral", "Mistral"],
  ["qwen", "Qwen"],
  ["zai", "Z.ai"],
  ["moonshot", "Moonshot"],
  ["minimax", "MiniMax"],
  ["together", "Together"],
  ["github", "GitHub Models"],
  ["azure", "Azure"],
  ["vllm", "vLLM"],
  ["sglang", "SGLang"],
  ["llamacpp", "llama.cpp"],
  ["ollama", "Ollama"],
]);

const aliases: ReadonlyMap<string, string> = new Map([
  ["openai-responses", "openai"],
  ["claude", "anthropic"],
  ["gemini", "google"],
  ["dashscope", "qwen"],
  ["alibaba", "qwen"],
  ["kimi", "moonshot"],
  ["glm", "zai"],
  ["llama.cpp", "llamacpp"],
]);

/** The id behind another spelling of it. */
export const providerId = (id: string): string => aliases.get(id) ?? id;

/** The name people use for a provider: `OpenAI` for `openai-chat`. */
export const providerName = (id: string): string => {
  if (typeof id !== "string") throw invalidArgument("provider", id, "an id such as openai-chat");
  return providerNames.get(providerId(id)) ?? id;
};
