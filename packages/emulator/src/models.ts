import { providers, type JsonObject, type Model } from "mull";

import { effortsOf } from "./service/efforts.ts";

type Vendor = "anthropic" | "openai" | "google";

const isServed = (model: Model): boolean =>
  model.status !== "retired" && model.status !== "never-served";

const modelsOf = (vendor: Vendor, own: readonly Model[] = []): readonly Model[] => [
  ...own.filter((model) => model.provider === vendor),
  ...(providers.find((provider) => provider.id === vendor)?.models ?? []).filter(isServed),
];

const can = (supported: boolean): JsonObject => ({ supported });

const anthropicModel = (model: Model): JsonObject => {
  const { thinking } = model;
  const efforts = effortsOf(model);
  const budget =
    thinking.kind === "budget" || (thinking.kind === "effort" && thinking.budget !== undefined);
  return {
    type: "model",
    id: model.id,
    display_name: model.id,
    created_at: "2026-01-01T00:00:00Z",
    max_input_tokens: model.window ?? null,
    max_tokens: model.outputCap ?? null,
    lifecycle: { stage: model.status, end_of_life: model.endOfLife ?? null },
    capabilities: {
      thinking: {
        supported: thinking.kind !== "none",
        types: {
          enabled: can(budget),
          adaptive: can(thinking.kind === "effort"),
          disabled: can(
            "off" in thinking && (thinking.off === "disabled" || thinking.off === "omit"),
          ),
          between_tools: can("off" in thinking && thinking.off === "between_tools"),
        },
      },
      effort: {
        supported: efforts.length > 0,
        ...Object.fromEntries(
          ["low", "medium", "high", "xhigh", "max"].map((word) => [
            word,
            can(efforts.includes(word)),
          ]),
        ),
      },
    },
  };
};

const openaiModel = (model: Model): JsonObject => ({
  id: model.id,
  object: "model",
  created: 1_767_225_600,
  owned_by: "openai",
});

const googleModel = (model: Model): JsonObject => ({
  name: `models/${model.id}`,
  version: model.generation ?? "1",
  displayName: model.id,
  inputTokenLimit: model.window ?? 1_048_576,
  outputTokenLimit: model.outputCap ?? 65_536,
  supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
  thinking: model.thinking.kind !== "none",
});

const spelling: Readonly<Record<Vendor, (model: Model) => JsonObject>> = {
  anthropic: anthropicModel,
  openai: openaiModel,
  google: googleModel,
};

/** The list of models as the vendor gives it. */
export const listModels = (vendor: Vendor, own: readonly Model[] | undefined): JsonObject => {
  const models = modelsOf(vendor, own);
  const data = models.map(spelling[vendor]);
  switch (vendor) {
    case "anthropic":
      return {
        data,
        has_more: false,
        first_id: models[0]?.id ?? null,
        last_id: models.at(-1)?.id ?? null,
      };
    case "openai":
      return { object: "list", data };
    case "google":
      return { models: data };
    default:
      return vendor satisfies never;
  }
};

/** One model as the vendor describes it; `undefined` when it has none of that id. */
export const describeModel = (
  vendor: Vendor,
  id: string,
  own: readonly Model[] | undefined,
): JsonObject | undefined => {
  const model = modelsOf(vendor, own).find((known) => known.id === id);
  return model === undefined ? undefined : spelling[vendor](model);
};
