import type { JsonObject } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import type { Finding, Rule, RuleInput } from "../../../types/rule.ts";
import { makeOpenaiChatRules } from "../rules/index.ts";
import { plain } from "./models.ts";

export const at = (provider: string, row: Partial<Model> = {}): Model => ({
  ...plain,
  id: "m",
  provider,
  ...row,
});

export const user: JsonObject = { role: "user", content: "hi" };

export const call = (id: string): JsonObject => ({
  id,
  type: "function",
  function: { name: "add", arguments: "{}" },
});

export const tools: readonly JsonObject[] = [
  { type: "function", function: { name: "add", parameters: {} } },
];

export const inputOf = (model: Model, body: JsonObject): RuleInput => ({
  wire: "openai-chat",
  model,
  path: "/chat/completions",
  headers: {},
  body: { model: model.id, messages: [user], ...body },
});

/** Rule, model, body; then the path found and a piece of the text. `null`: it must not be found. */
export type RuleCase = readonly [
  rule: string,
  model: Model,
  body: JsonObject,
  path: string | null,
  text?: string,
];

const rules = makeOpenaiChatRules();

export function ruleOf(name: string): Rule {
  const rule = rules.find(({ id }) => id === `openai-chat/${name}`);
  if (rule === undefined) throw new Error(`no rule ${name}`);
  return rule;
}

/** The cases in which a rule finds something else than it should, with what it found. */
export const wronglyFound = (cases: readonly RuleCase[]): readonly unknown[] =>
  cases.flatMap(([name, model, body, path, text = "missing"]) => {
    const found: Finding | undefined = ruleOf(name).check(inputOf(model, body))[0];
    const isRight =
      path === null ? found === undefined : found?.path === path && found.message.includes(text);
    return isRight ? [] : [{ name, body, path, text, found }];
  });

/** The cases whose repair leaves something of its rule to find, or touches what it was given. */
export const wronglyRepaired = (cases: readonly RuleCase[]): readonly unknown[] =>
  cases.flatMap(([name, model, body, path]) => {
    const rule = ruleOf(name);
    const input = inputOf(model, body);
    const before = JSON.stringify(input.body);
    const repaired = path === null ? undefined : rule.repair?.(input);
    const left = repaired === undefined ? [] : rule.check({ ...input, body: repaired });
    const isUntouched = JSON.stringify(input.body) === before;
    return left.length === 0 && isUntouched ? [] : [{ name, body, left, isUntouched }];
  });
