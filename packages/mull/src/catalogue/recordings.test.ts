import { expect, test } from "vitest";

import { readRecordings, type Recording } from "../../../../test/recordings.ts";
import type { Model } from "../types/model.ts";
import { findModel } from "./find-model.ts";

/** Where requests of any wire set thinking. */
interface ThinkingFields {
  readonly model?: string;
  readonly thinking?: { readonly type?: string; readonly budget_tokens?: number };
  readonly output_config?: { readonly effort?: string };
  readonly reasoning?: { readonly effort?: string };
  readonly reasoning_effort?: string;
  readonly generationConfig?: {
    readonly thinkingConfig?: {
      readonly thinkingBudget?: number;
      readonly thinkingLevel?: string;
    };
  };
}

const vendors = new Set([
  "anthropic",
  "openai-responses",
  "openai-chat",
  "google",
  "deepseek",
  "xai",
]);

const accepted = readRecordings().filter(
  ({ provider, response }) => response.status === 200 && vendors.has(provider),
);

const fieldsOf = ({ body }: Recording["request"]): ThinkingFields | null => body;

const modelIn = ({ request }: Recording): string | undefined =>
  fieldsOf(request)?.model ?? /models\/([^:]+):/.exec(request.url_path)?.[1];

const offers = ({ thinking, row, id }: Model, word: string): boolean =>
  (thinking.kind === "effort" && (thinking.efforts as readonly string[]).includes(word)) ||
  (thinking.kind === "level" &&
    (thinking.levels as readonly string[]).includes(word.toUpperCase())) ||
  // It has no dial: its service takes the words and ignores them.
  (row ?? id) === "deepseek-reasoner";

/** What the service took and the row would not have sent. */
const denied = (recording: Recording): readonly string[] => {
  const body = fieldsOf(recording.request);
  const id = modelIn(recording);
  if (body === null || id === undefined || id === "unknown") return [];
  const model = findModel(id);
  const config = body.generationConfig?.thinkingConfig;
  const words = [
    body.output_config?.effort,
    body.reasoning?.effort,
    body.reasoning_effort,
    config?.thinkingLevel,
  ];
  const budget = body.thinking?.budget_tokens ?? config?.thinkingBudget;
  const takesBudget =
    model.thinking.kind === "budget" ||
    (model.thinking.kind === "effort" && model.thinking.budget !== undefined);
  return [
    ...words.filter((word) => word !== undefined && !offers(model, word)),
    ...(budget !== undefined && !takesBudget ? [`budget ${budget}`] : []),
    ...(body.thinking?.type === "adaptive" && model.thinking.kind !== "effort" ? ["adaptive"] : []),
  ].map((what) => `${id}: ${what} (${recording.id})`);
};

test("P-B1 P-B11 every setting a service has taken is one that its row offers", () => {
  expect(accepted.flatMap(denied)).toEqual([]);
});

test("D4 every model of the three main vendors that has answered is in the catalogue", () => {
  const main = accepted.filter(({ provider }) => /^(?:anthropic|openai|google)/.test(provider));
  const ids = new Set(main.map(modelIn).filter((id) => id !== undefined && id !== "unknown"));
  expect([...ids].filter((id) => findModel(id ?? "").assumed)).toEqual([]);
});
