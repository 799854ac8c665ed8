/** Providers by id, as people write them. */
export const providerNames: ReadonlyMap<string, string> = new Map([
  ["anthropic", "Anthropic"],
  ["openai", "OpenAI"],
  ["openai-responses", "OpenAI"],
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

export const providerName = (id: string): string => providerNames.get(id) ?? id;
