import { providers, type JsonObject, type Model } from "mull";

import { effortsOf } from "./service/efforts.ts";

type ListedVendor = "anthropic" | "openai" | "google";

const isServed = (model: Model): boolean =>
  model.status !== "retired" && model.status !== "never-served";

const modelsOf = (provider: string, own: readonly Model[] = []): readonly Model[] => [
  ...own.filter((model) => model.provider === provider),
  ...(providers.find(({ id }) => id === provider)?.models ?? []).filter(isServed),
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
  owned_by: model.provider,
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

const spelling: Readonly<Record<ListedVendor, (model: Model) => JsonObject>> = {
  anthropic: anthropicModel,
  openai: openaiModel,
  google: googleModel,
};

const sizeIn = (query: URLSearchParams, name: string, usual: number): number => {
  const size = Number(query.get(name) ?? usual);
  return Number.isInteger(size) && size > 0 ? Math.min(size, 1000) : usual;
};

/** Anthropic pages by the ids at the ends of a page. */
const anthropicPage = (models: readonly Model[], query: URLSearchParams): JsonObject => {
  const size = sizeIn(query, "limit", 20);
  const after = models.findIndex(({ id }) => id === query.get("after_id")) + 1;
  const before = models.findIndex(({ id }) => id === query.get("before_id"));
  const start = before < 0 ? after : Math.max(0, before - size);
  const end = before < 0 ? start + size : before;
  const page = models.slice(start, end);
  return {
    data: page.map(anthropicModel),
    has_more: before < 0 ? end < models.length : start > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
};

/** Google pages by a token; here the token is the position of the next page. */
const googlePage = (models: readonly Model[], query: URLSearchParams): JsonObject => {
  const start = Number(query.get("pageToken") ?? 0) || 0;
  const end = start + sizeIn(query, "pageSize", 50);
  return {
    models: models.slice(start, end).map(googleModel),
    ...(end < models.length && { nextPageToken: String(end) }),
  };
};

/** Whose models are listed, and in whose format: local servers list them as OpenAI does. */
export interface Listed {
  readonly vendor: ListedVendor;
  readonly provider: string;
  readonly own: readonly Model[] | undefined;
}

/** The list of models as the vendor gives it, page by page if it does so. */
export const listModels = (
  { vendor, provider, own }: Listed,
  query: URLSearchParams,
): JsonObject => {
  const models = modelsOf(provider, own);
  switch (vendor) {
    case "anthropic":
      return anthropicPage(models, query);
    case "openai":
      return { object: "list", data: models.map(openaiModel) };
    case "google":
      return googlePage(models, query);
    default:
      return vendor satisfies never;
  }
};

/** One model as the vendor describes it; `undefined` when it has none of that id. */
export const describeModel = (
  { vendor, provider, own }: Listed,
  id: string,
): JsonObject | undefined => {
  const model = modelsOf(provider, own).find((known) => known.id === id);
  return model === undefined ? undefined : spelling[vendor](model);
};
