import type { Quirks } from "../types/quirks.ts";

/** The quirks of services other than OpenAI: no `developer` role, `store`, `strict` or cache key. */
export const plainDialect: Quirks = {
  systemRole: "system",
  capField: "max_tokens",
  omitStore: true,
  omitStrict: true,
  omitCacheKey: true,
};

/** The quirks of local servers, which leave thinking tags in the text when started without a reasoning parser. */
export const localDialect: Quirks = {
  ...plainDialect,
  knob: "chat_template_kwargs",
  thinkTags: [["<think>", "</think>"]],
  topK: true,
};
