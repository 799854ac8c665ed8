import { expect } from "vitest";
import type { JsonObject } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import type { Finding, Rule, RuleInput } from "../../../types/rule.ts";
import { openaiChatRules } from "../rules.ts";

export const plain: Model = {
  id: "gpt-4.1",
  provider: "openai",
  wire: "openai-chat",
  thinking: { kind: "none" },
  shows: "nothing",
  sampling: "free",
  toolChoice: "free",
  replay: "optional",
  status: "current",
};

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

export function ruleOf(name: string): Rule {
  const rule = openaiChatRules.find(({ id }) => id === `openai-chat/${name}`);
  if (rule === undefined) throw new Error(`no rule ${name}`);
  return rule;
}

export function expectFindings(cases: readonly RuleCase[]): void {
  for (const [name, model, body, path, text] of cases) {
    const found: Finding | undefined = ruleOf(name).check(inputOf(model, body))[0];
    expect({ name, body, path: found?.path ?? null }).toEqual({ name, body, path });
    expect(found?.message ?? "").toContain(path === null ? "" : (text ?? "missing"));
  }
}

export function expectRepairs(cases: readonly RuleCase[]): void {
  for (const [name, model, body, path] of cases) {
    const rule = ruleOf(name);
    const input = inputOf(model, body);
    const before = JSON.stringify(input.body);
    const repaired = path === null ? undefined : rule.repair?.(input);
    const left = repaired === undefined ? [] : rule.check({ ...input, body: repaired });
    expect({ name, left, before: JSON.stringify(input.body) }).toEqual({ name, left: [], before });
  }
}
