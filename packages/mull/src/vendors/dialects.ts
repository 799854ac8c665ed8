import type { Quirks } from "../types/quirks.ts";

/** Outside api.openai.com: no `developer` role, no `store`, no `strict`, no cache key. */
export const plainDialect: Quirks = {
  systemRole: "system",
  capField: "max_tokens",
  omitStore: true,
  omitStrict: true,
  omitCacheKey: true,
};

/** Servers started without a reasoning parser leave the tags in the text. */
export const localDialect: Quirks = {
  ...plainDialect,
  knob: "chat_template_kwargs",
  thinkTags: [["<think>", "</think>"]],
  topK: true,
};
