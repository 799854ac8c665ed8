import { hostFamily } from "../catalogue/hosts.ts";
import type { Provider } from "../types/provider.ts";
import type { Quirks } from "../types/quirks.ts";
import { openaiChat } from "../wire/openai-chat/index.ts";
import { fromFamily } from "./from-family.ts";

const onLoopback = { wire: openaiChat, auth: "none" } as const;

/** Servers started without a reasoning parser leave the tags in the text. */
const localDialect: Quirks = {
  systemRole: "system",
  capField: "max_tokens",
  omitStore: true,
  omitStrict: true,
  omitCacheKey: true,
  knob: "chat_template_kwargs",
  thinkTags: [["<think>", "</think>"]],
  topK: true,
};

export const vllm: Provider = fromFamily(hostFamily("vllm"), {
  name: "vLLM",
  ...onLoopback,
  baseUrl: "http://localhost:8000/v1",
  quirks: {
    ...localDialect,
    budgetField: "thinking_token_budget",
    thinkingFields: ["reasoning", "reasoning_content"],
  },
});

export const sglang: Provider = fromFamily(hostFamily("sglang"), {
  name: "SGLang",
  ...onLoopback,
  baseUrl: "http://localhost:30000/v1",
  quirks: { ...localDialect, thinkingFields: ["reasoning_content"] },
});

export const llamacpp: Provider = fromFamily(hostFamily("llamacpp"), {
  name: "llama.cpp",
  ...onLoopback,
  baseUrl: "http://localhost:8080/v1",
  quirks: {
    ...localDialect,
    budgetField: "thinking_budget_tokens",
    thinkingFields: ["reasoning_content"],
  },
});

export const ollama: Provider = fromFamily(hostFamily("ollama"), {
  name: "Ollama",
  ...onLoopback,
  baseUrl: "http://localhost:11434/v1",
  quirks: {
    ...localDialect,
    knob: "reasoning_effort",
    thinkingFields: ["reasoning", "reasoning_content"],
    topK: false,
  },
});
