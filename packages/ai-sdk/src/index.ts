/** The models of mull as language models of AI SDK 7. For version 6 import from `@mull/ai-sdk/v6`. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelChoice } from "mull";
import { createModel } from "./model.ts";
import type { MullSettings } from "./settings.ts";

export { readReceipt } from "./metadata.ts";
export type { MullCallOptions, MullSettings } from "./settings.ts";

/** Makes language models of AI SDK 7 from refs such as `claude-opus-5-5/high`. */
export type MullModels = (model: ModelChoice) => LanguageModelV4;

/** Models that are asked with settings of your own: keys, addresses, headers, `fetch`. */
export const createMull =
  (settings: MullSettings = {}): MullModels =>
  (choice) => ({ ...createModel(choice, settings), specificationVersion: "v4" });

/** A model by its ref, such as `gpt-6-sol/high`; its key comes from the environment. */
export const mull: MullModels = createMull();
