import { azure } from "./azure.ts";
import { github } from "./github.ts";
import { llamacpp } from "./llamacpp.ts";
import { makers } from "./makers.ts";
import { ollama } from "./ollama.ts";
import { openaiChat } from "./openai-chat.ts";
import { openrouter } from "./openrouter.ts";
import { sglang } from "./sglang.ts";
import { together } from "./together.ts";
import type { Vendor } from "./vendor.ts";
import { vllm } from "./vllm.ts";

/**
 * All vendors: makers of models first, then hosts of other makers' models. Bundlers drop an unused call, but
 * they keep `[...makers]`, and every vendor with it.
 */
export const vendors: readonly Vendor[] = makers.concat(
  openaiChat,
  openrouter,
  together,
  github,
  azure,
  vllm,
  sglang,
  llamacpp,
  ollama,
);
