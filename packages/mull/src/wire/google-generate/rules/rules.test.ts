import { describe, expect, test } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { rulesOf } from "../../../rules.ts";
import { conversationCases } from "../testing/conversation-rule-cases.ts";
import {
  type Case,
  call,
  declares,
  hello,
  invalidSeal,
  result,
  says,
  sig,
  thinks,
  vertex,
} from "../testing/rule-input.ts";
import { shapeCases } from "../testing/shape-rule-cases.ts";

const cases: readonly Case[] = [...shapeCases, ...conversationCases];

function inputOf({
  model = "gemini-3.8-flash",
  body,
  parent = "/v1beta/models/",
  input,
}: Omit<Case, "rule" | "path" | "message">): RuleInput {
  return {
    wire: "google-generate",
    model: findModel(model, { provider: "google" }),
    path: `${parent}${model}:generateContent`,
    headers: {},
    body: { contents: [hello], ...body },
    ...input,
  };
}

const ruleOf = (id: string): Rule => {
  const rule = rulesOf("google-generate").find((one) => one.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return rule;
};

describe("rules", () => {
  test.each(cases)("$rule: $message", ({ rule: id, path, message, ...rest }) => {
    const rule = ruleOf(id);
    const input = inputOf(rest);
    const before = JSON.stringify(input.body);
    const [finding] = rule.check(input);
    expect(finding).toMatchObject({ rule: id, path, severity: rule.severity });
    expect(finding?.message).toContain(message);
    expect(finding?.answer?.message).toBe(rule.severity === "error" ? finding?.message : undefined);
    const repaired = rule.repair?.(input);
    expect(repaired && rule.check({ ...input, body: repaired })).toEqual(rule.repair && []);
    expect(JSON.stringify(input.body)).toBe(before);
  });

  test("a repair leaves alone what its rule does not find", () => {
    const input = inputOf({ body: {} });
    const changed = rulesOf("google-generate").filter(
      ({ repair }) => repair && repair(input) !== input.body,
    );
    expect(changed).toEqual([]);
  });

  test("a response without a call is quoted field by field; one that failed says so", () => {
    const responses = [{ a: "x", b: [1], c: undefined }, { error: "no" }];
    const contents = responses.map((response) => result({ response }));
    const repaired = ruleOf("google/function-response-order").repair?.(
      inputOf({ body: { contents } }),
    );
    expect(repaired?.["contents"]).toEqual([
      {
        role: "user",
        parts: [
          { text: 'The tool f returned:\n"""\na: x\nb: [1]\nc: \n"""' },
          { text: 'The tool f failed:\n"""\nno\n"""' },
        ],
      },
    ]);
  });

  test("no repair drops a content of another API: its words are elsewhere", () => {
    const foreign = { role: "user", content: "Hello" };
    const input = inputOf({ body: { contents: [foreign, { role: "user" }, hello] } });
    expect(ruleOf("google/parts-required").repair?.(input)["contents"]).toEqual([foreign, hello]);
  });

  test("a config without a mode asks nothing of the service's own tools", () => {
    const toolConfig = { functionCallingConfig: { allowedFunctionNames: ["f"] } };
    const rule = ruleOf("google/tool-config-without-tools");
    const body = { tools: [{ googleSearch: {} }], toolConfig };
    expect(rule.check(inputOf({ body }))).toEqual([]);
    expect(rule.check(inputOf({ body: { toolConfig } }))).toHaveLength(1);
  });

  test("every rule has a case, and says what its repair does", () => {
    // Advice has its own cases, in rules/advice.test.ts.
    const refusing = rulesOf("google-generate").filter(({ severity }) => severity !== "advice");
    expect(new Set(cases.map(({ rule }) => rule))).toEqual(new Set(refusing.map(({ id }) => id)));
    expect(
      rulesOf("google-generate").filter(({ repair, repairSummary }) => !repair !== !repairSummary),
    ).toEqual([]);
  });

  test.each<[string, Omit<Case, "rule" | "path" | "message">]>([
    [
      "a turn of the model that ends in a result",
      { body: { contents: [hello, { ...result(), role: "model" }] } },
    ],
    ["a level on Gemini 4", { model: "gemini-4-argon", body: thinks({ thinkingLevel: "LOW" }) }],
    [
      "several candidates of Gemini 2.5",
      { model: "gemini-2.5-flash", body: { generationConfig: { candidateCount: 8 } } },
    ],
    [
      "several candidates and, on Gemini 2.5, log probabilities behind Vertex",
      {
        model: "gemini-2.5-flash",
        parent: vertex,
        body: { generationConfig: { candidateCount: 4, responseLogprobs: true, logprobs: 3 } },
      },
    ],
    [
      "built-in tools beside functions where that is said",
      {
        body: {
          tools: [{ codeExecution: {} }, { functionDeclarations: [{ name: "f" }] }],
          toolConfig: { includeServerSideToolInvocations: true },
        },
      },
    ],
    ["one candidate", { body: { generationConfig: { candidateCount: 1 } } }],
    ["a turn without a role", { body: { contents: [{ parts: [{ text: "Hi" }] }] } }],
    ["a signed loop", { body: { contents: [hello, call(), result(), hello] } }],
    [
      "an older turn without signatures",
      { body: { contents: [hello, call({}), result(), says, hello] } },
    ],
    [
      "no signatures on 2.5",
      { model: "gemini-2.5-flash", body: { contents: [hello, call({}), result()] } },
    ],
    [
      "the documented skip value",
      {
        body: {
          contents: [
            hello,
            call({ thoughtSignature: "skip_thought_signature_validator" }),
            result(),
          ],
        },
        input: invalidSeal,
      },
    ],
    [
      "a good seal",
      { body: { contents: [hello, call(), result()] }, input: { verifySeal: () => "ok" } },
    ],
    ["a budget on Gemini 3", { body: thinks({ thinkingBudget: 100 }) }],
    [
      "budget 0 where it is off",
      { model: "gemini-2.5-flash", body: thinks({ thinkingBudget: 0 }) },
    ],
    [
      "a dynamic budget",
      { model: "gemini-2.5-pro", body: thinks({ thinkingBudget: -1, includeThoughts: true }) },
    ],
    ["an unset level", { body: thinks({ thinkingLevel: "THINKING_LEVEL_UNSPECIFIED" }) }],
    [
      "an answer that ends the request on 2.5",
      { model: "gemini-2.5-flash", body: { contents: [hello, says] } },
    ],
    [
      "ids on Vertex's v1beta1",
      {
        model: "gemini-2.5-flash",
        parent: "/v1beta1/projects/p/publishers/google/models/",
        body: {
          contents: [hello, call(sig, { id: "x" }), result({ id: "x" })],
          ...declares({ name: "f", parameters: { const: 1 } }),
        },
      },
    ],
    [
      "matching ids, or none on the way back",
      {
        body: {
          contents: [
            hello,
            call(sig, { id: "x" }),
            result({ id: "x" }),
            call(sig, { id: "y" }),
            result(),
          ],
        },
      },
    ],
    [
      "results in two turns",
      {
        body: {
          contents: [
            hello,
            {
              role: "model",
              parts: [{ functionCall: { name: "f" }, ...sig }, { functionCall: { name: "f" } }],
            },
            result(),
            result(),
          ],
        },
      },
    ],
  ])("no finding for %s", (_, rest) => {
    expect(rulesOf("google-generate").flatMap((rule) => rule.check(inputOf(rest)))).toEqual([]);
  });
});
