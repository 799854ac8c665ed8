import { hostFamily } from "../catalogue/hosts.ts";
import {
  deepseekFamily,
  groqFamily,
  minimaxFamily,
  mistralFamily,
  moonshotFamily,
  qwenFamily,
  xaiFamily,
  zaiFamily,
} from "../catalogue/vendors.ts";
import type { Provider } from "../types/provider.ts";
import type { Quirks } from "../types/quirks.ts";
import { openaiChat } from "../wire/openai-chat/index.ts";
import { openaiResponses } from "../wire/openai-responses/index.ts";
import { fromFamily } from "./from-family.ts";

const onChat = { wire: openaiChat, auth: "bearer" } as const;

/** Outside api.openai.com: no `developer` role, no `store`, no `strict`, no cache key. */
const plainDialect: Quirks = {
  systemRole: "system",
  capField: "max_tokens",
  omitStore: true,
  omitStrict: true,
  omitCacheKey: true,
};

export const deepseek: Provider = fromFamily(deepseekFamily, {
  name: "DeepSeek",
  ...onChat,
  baseUrl: "https://api.deepseek.com",
  quirks: {
    ...plainDialect,
    knob: "thinking-type+effort",
    thinkingFields: ["reasoning_content"],
    jsonObjectOnly: true,
  },
});

export const openrouter: Provider = fromFamily(hostFamily("openrouter"), {
  name: "OpenRouter",
  ...onChat,
  baseUrl: "https://openrouter.ai/api/v1",
  quirks: {
    ...plainDialect,
    knob: "reasoning-object",
    thinkingFields: ["reasoning", "reasoning_content"],
    topK: true,
    fileUrls: true,
  },
});

export const xai: Provider = fromFamily(xaiFamily, {
  name: "xAI",
  wire: openaiResponses,
  auth: "bearer",
  baseUrl: "https://api.x.ai/v1",
});

export const groq: Provider = fromFamily(groqFamily, {
  name: "Groq",
  ...onChat,
  baseUrl: "https://api.groq.com/openai/v1",
  quirks: {
    ...plainDialect,
    capField: "max_completion_tokens",
    knob: "reasoning_effort",
    knobOn: "default",
    shownBody: { reasoning_format: "parsed" },
    hiddenBody: { reasoning_format: "hidden" },
    thinkingFields: ["reasoning"],
  },
});

export const mistral: Provider = fromFamily(mistralFamily, {
  name: "Mistral",
  ...onChat,
  baseUrl: "https://api.mistral.ai/v1",
  quirks: {
    ...plainDialect,
    knob: "reasoning_effort",
    omitStreamUsage: true,
    thinkingFields: ["reasoning_content"],
    callId: { maxLength: 9, pattern: "^[a-zA-Z0-9]{9}$" },
  },
});

export const qwen: Provider = fromFamily(qwenFamily, {
  name: "Qwen",
  ...onChat,
  baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
  keyVariables: ["DASHSCOPE_API_KEY", "QWEN_API_KEY"],
  quirks: {
    ...plainDialect,
    knob: "enable_thinking",
    budgetField: "thinking_budget",
    thinkingFields: ["reasoning_content"],
    topK: true,
  },
});

export const zai: Provider = fromFamily(zaiFamily, {
  name: "Z.ai",
  ...onChat,
  baseUrl: "https://api.z.ai/api/paas/v4",
  quirks: {
    ...plainDialect,
    knob: "thinking-type+effort",
    thinkingFields: ["reasoning_content"],
    jsonObjectOnly: true,
  },
});

export const moonshot: Provider = fromFamily(moonshotFamily, {
  name: "Moonshot",
  ...onChat,
  baseUrl: "https://api.moonshot.ai/v1",
  quirks: { ...plainDialect, knob: "thinking-type", thinkingFields: ["reasoning_content"] },
});

export const minimax: Provider = fromFamily(minimaxFamily, {
  name: "MiniMax",
  ...onChat,
  baseUrl: "https://api.minimax.io/v1",
  quirks: {
    ...plainDialect,
    knob: "thinking-type",
    knobOn: "adaptive",
    body: { reasoning_split: true },
    thinkingFields: ["reasoning_content", "reasoning"],
    thinkTags: [
      ["<think>", "</think>"],
      ["<mm:think>", "</mm:think>"],
    ],
  },
});

export const together: Provider = fromFamily(hostFamily("together"), {
  name: "Together",
  ...onChat,
  baseUrl: "https://api.together.xyz/v1",
  quirks: {
    ...plainDialect,
    knob: "reasoning-object",
    thinkingFields: ["reasoning", "reasoning_content"],
    thinkTags: [["<think>", "</think>"]],
    topK: true,
  },
});
