import { describe, expect, test } from "vitest";
import * as mull from "./index.ts";
import * as rules from "./rules.ts";
import * as wire from "./wire.ts";

/** One argument of a function, and the wrong kinds that are right for it. */
type Argument = readonly [good: unknown, ...taken: readonly string[]];

/** What JavaScript lets through where the types do not. */
const wrongKinds: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["undefined", undefined],
  ["null", null],
  ["{}", {}],
  ["text", "x"],
  ["number", 5],
  ["[]", []],
]);
const anything = [...wrongKinds.keys()];

const model = mull.findModel("claude-opus-5-5");
const target = mull.resolveModel("claude-opus-5-5/high");
const plan = mull.planThinking({ model: "claude-opus-5-5" });
const said = { role: "user", parts: [{ type: "text", text: "hi" }] } as const;
const history = mull.History.from([said]);
const request = { messages: [said] };
const seal = { origin: { wire: "google-generate", provider: "google", model: "x" }, data: {} };
const reader = { model, provider: "anthropic", wire: model.wire, modelOf: () => model };
const refused = { wire: model.wire, model, body: {}, error: { category: "server" } };
const exchange = { wire: model.wire, body: '{"type":"message","content":[]}' };
const lintable = { wire: "openai-chat", body: { model: "gpt-5", messages: [] } };
const away = { apiKey: "k", fetch: () => Promise.reject(new Error("away")), maxAttempts: 1 };
const agent = (): mull.Agent => new mull.Agent("gpt-6-sol", away);

type Callable = (...given: never[]) => unknown;

/** Every function of the entry with arguments that are right; `text` is a fine model, key or message. */
const functions: Readonly<Record<string, readonly [call: Callable, ...args: readonly Argument[]]>> =
  {
    Agent: [
      (ref: string, options: object) => new mull.Agent(ref, options),
      ["gpt-6-sol"],
      [{}, "undefined", "{}"],
    ],
    accountOf: [wire.accountOf, ["key", "text"]],
    addUsage: [wire.addUsage, [{}, "{}"], [{}, "{}"]],
    chat: [mull.chat, ["gpt-6-sol"], [request], [away, "undefined", "{}"]],
    compact: [mull.compact, [history], [{ summarize: () => "short" }]],
    compose: [mull.compose, [target], [request]],
    costOf: [mull.costOf, [{}, "{}"], [model, "{}"]],
    countTokens: [mull.countTokens, ["gpt-6-sol"], [request], [away, "undefined", "{}"]],
    createBudget: [mull.createBudget, [{ dollars: 1 }, "{}"]],
    createRetryBudget: [wire.createRetryBudget, [3, "undefined", "number"]],
    describeLevel: [mull.describeLevel, [plan]],
    describePlan: [mull.describePlan, [plan], [{}, "undefined", "{}"]],
    describeRoom: [mull.describeRoom, [plan]],
    describeSending: [mull.describeSending, [plan]],
    estimateTokens: [mull.estimateTokens, [[said], "[]"]],
    findKey: [mull.findKey, [target.provider]],
    findModel: [mull.findModel, ["gpt-6-sol", "text"], [{}, "undefined", "{}"]],
    findProvider: [mull.findProvider, ["openai"]],
    heal: [rules.heal, [refused]],
    History: [(entries: never) => new (mull.History as never as typeof Date)(entries), [[]]],
    isJsonObject: [wire.isJsonObject, [{}, ...anything]],
    isMullError: [mull.isMullError, [{}, ...anything]],
    lint: [mull.lint, [lintable]],
    mapLevel: [mull.mapLevel, [model, "text"], ["high"]],
    parseLevel: [mull.parseLevel, ["high"]],
    parseModelRef: [mull.parseModelRef, ["gpt-6-sol", "text"], [{}, "undefined", "{}"]],
    planThinking: [mull.planThinking, [{ model }]],
    prepare: [rules.prepare, [[said], "[]"], [{ ...reader, setting: plan.setting }]],
    providerName: [mull.providerName, ["openai", "text"]],
    readExchange: [wire.readExchange, [exchange]],
    repair: [mull.repair, [lintable]],
    resolveChoice: [wire.resolveChoice, ["gpt-6-sol"]],
    resolveModel: [mull.resolveModel, ["gpt-6-sol"], [{}, "undefined", "{}"]],
    streamChat: [mull.streamChat, ["gpt-6-sol"], [request, "{}"], [{}, "undefined", "{}"]],
    sumReceipts: [mull.sumReceipts, [[{}], "[]"]],
    textOf: [mull.textOf, [said, ...anything]],
    thinkingFieldsOf: [wire.thinkingFieldsOf, [{}, "{}"]],
    toReadable: [wire.toReadable, [said]],
    tool: [mull.tool, [{ name: "f", run: () => 1 }]],
    whyUnreadable: [wire.whyUnreadable, [seal], [reader]],
    "History.from": [(list: never) => mull.History.from(list), [[said], "[]"]],
    "History.parse": [(json: never) => mull.History.parse(json), [[said], "[]"]],
    "history.append": [(message: never) => history.append(message), [said]],
    "history.fork": [(length: never) => history.fork(length), [1]],
    "history.map": [(change: never) => history.map(change), [(message: unknown) => message]],
    "agent.use": [(choice: never) => agent().use(choice), ["claude-opus-5-5", "{}"]],
    "agent.send": [
      (input: never, options: never) => agent().send(input, options),
      ["hi", "text"],
      [{}, "undefined", "{}"],
    ],
    "agent.history": [(given: never) => (agent().history = given), [history]],
  };

const outcome = async (call: Callable, given: readonly unknown[]): Promise<unknown> => {
  try {
    await call(...(given as never[]));
  } catch (error) {
    return error;
  }
  return undefined;
};

test("R9 every function of the entry is in the table", () => {
  const exported = Object.entries(mull).flatMap(([name, value]) =>
    typeof value === "function" ? [name] : [],
  );
  // An error is made by the library, with fields that only it knows.
  const unlisted = exported.filter((name) => !(name in functions) && name !== "MullError");
  expect(unlisted).toEqual([]);
});

const cases = Object.entries(functions).flatMap(([name, [call, ...args]]) =>
  args.flatMap(([, ...taken], index) =>
    anything.map((kind) => {
      const given = args.map(([good]) => good);
      given[index] = wrongKinds.get(kind);
      const title = `${name}(${"_, ".repeat(index)}${kind})`;
      return { title, call, given, isTaken: taken.includes(kind) };
    }),
  ),
);

describe("R9 a wrong kind of argument is refused by name, and what is allowed is said", () => {
  test.each(cases.filter(({ isTaken }) => !isTaken))("$title", async ({ call, given }) => {
    const error = await outcome(call, given);
    expect(error).toMatchObject({ isMullError: true, category: "invalid_argument" });
    expect((error as mull.MullError).field).toMatch(/\S/);
    expect((error as mull.MullError).message).toMatch(/Allowed: |is not |neither |Providers: /);
  });

  test.each(cases.filter(({ isTaken }) => isTaken))("$title is taken", async ({ call, given }) => {
    expect(await outcome(call, given)).not.toBeInstanceOf(TypeError);
  });
});
