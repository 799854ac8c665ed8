/** The models of mull as language models of AI SDK 6. */
import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { ModelChoice } from "mull";
import { createModel } from "./model.ts";
import type { MullSettings } from "./settings.ts";
import { fromVersion3, streamToVersion3, toVersion3 } from "./version-3.ts";

export { readReceipt } from "./metadata.ts";
export type { MullCallOptions, MullSettings } from "./settings.ts";

/** Makes language models of AI SDK 6 from refs such as `claude-opus-5-5/high`. */
export type MullModels6 = (model: ModelChoice) => LanguageModelV3;

/** Models that are asked with settings of your own: keys, addresses, headers, `fetch`. */
export const createMull =
  (settings: MullSettings = {}): MullModels6 =>
  (choice) => {
    const model = createModel(choice, settings);
    return {
      ...model,
      specificationVersion: "v3",
      doGenerate: async (options) => {
        const result = await model.doGenerate(fromVersion3(options));
        return { ...result, content: result.content.map(toVersion3) };
      },
      doStream: async (options) => {
        const result = await model.doStream(fromVersion3(options));
        return { ...result, stream: result.stream.pipeThrough(streamToVersion3()) };
      },
    };
  };

/** A model by its ref, such as `gpt-6-sol/high`; its key comes from the environment. */
export const mull: MullModels6 = createMull();
