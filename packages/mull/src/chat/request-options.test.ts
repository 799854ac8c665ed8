import { describe, expect, test } from "vitest";
import { Agent } from "../agent/agent.ts";
import { tool } from "../agent/tool.ts";
import { History } from "../history/history.ts";
import type { UserMessage } from "../types/message.ts";
import { chat } from "./ask.ts";

/** Whatever JavaScript lets through where the types do not. */
const wrong = (value: unknown): never => value as never;

const said: UserMessage = { role: "user", parts: [{ type: "text", text: "hi" }] };
const refused = (): Promise<Response> => Promise.resolve(new Response("{}", { status: 400 }));
const away = { apiKey: "k", env: {}, fetch: refused, maxAttempts: 1 };

const asked = (request: object, options: object = {}): Promise<unknown> =>
  chat("gpt-6-sol", wrong({ messages: [said], ...request }), wrong({ ...away, ...options })).catch(
    (error: unknown) => error,
  );

const agent = (options: object): Agent => new Agent("gpt-6-sol", wrong({ ...away, ...options }));

const failed = async (run: () => unknown): Promise<unknown> => {
  try {
    return await run();
  } catch (error) {
    return error;
  }
};

describe("R9 a value of the wrong kind is refused by name, before anything is sent", () => {
  test.each<[string, object, string]>([
    ["temperature", { temperature: "0.5" }, "a number from 0 to 2"],
    ["temperature", { temperature: null }, "a number from 0 to 2"],
    ["topP", { topP: "1" }, "a number from 0 to 1"],
    ["topK", { topK: "4" }, "a whole number from 1"],
    ["maxOutputTokens", { maxOutputTokens: "900" }, "a whole number from 1"],
    ["thinkingBudget", { thinkingBudget: "900" }, "a whole number from 0"],
    ["stopSequences", { stopSequences: "END" }, "a list of texts"],
    ["userId", { userId: 5 }, "a string"],
    ["cache", { cache: true }, "an object"],
    ["cache.key", { cache: { key: 5 } }, "a string"],
    ["extra", { extra: "x" }, "an object"],
    ["tools", { tools: {} }, "a list of { name, inputSchema }"],
    ["tools", { tools: ["look"] }, "a list of { name, inputSchema }"],
    ["tools", { tools: [{ type: "function", function: { name: "f" } }] }, "inputSchema"],
    ["tools", { tools: [tool({ name: "f", run: () => 1 })] }, "the spec of a tool"],
    ["messages", { messages: "hi" }, "a list of messages"],
    ["messages", { messages: History.from([said]) }, "history.messages"],
    ["messages[0].role", { messages: [{ ...said, role: "human" }] }, "user"],
    ["messages[0].parts[0]", { messages: [{ ...said, parts: ["hi"] }] }, "a part"],
    ["messages[0].parts[0].type", { messages: [{ ...said, parts: [{ type: "txt" }] }] }, "text"],
    ["messages[0].parts[0].text", { messages: [{ ...said, parts: [{ type: "text" }] }] }, "text"],
  ])("%s in a request: %o", async (field, request, allowed) => {
    const error = await asked(request);
    expect(error).toMatchObject({ isMullError: true, category: "invalid_argument", field });
    expect(String(error)).toContain(allowed);
  });

  test.each<[string, object, string]>([
    ["apiKey", { apiKey: 5 }, "a string"],
    ["baseUrl", { baseUrl: 5 }, "a string"],
    ["baseUrl", { baseUrl: "localhost:3000" }, "an http or https address"],
    ["headers", { headers: "x-a: 1" }, "texts by name"],
    ["headers", { headers: { "x-a": undefined } }, "texts by name"],
    ["env", { env: null }, "an object"],
    ["fetch", { fetch: "https://x.test" }, "a function"],
    ["signal", { signal: new AbortController() }, "an AbortSignal"],
    ["signal", { signal: null }, "an AbortSignal"],
    ["limits", { limits: 5000 }, "an object"],
    ["limits.totalMs", { limits: { totalMs: "5000" } }, "a number"],
    ["maxAttempts", { maxAttempts: "3" }, "a number"],
    ["retryBudget", { retryBudget: {} }, "createRetryBudget"],
    ["openLoop", { openLoop: "off" }, "disable demote warn fail synthetic"],
    ["heal", { heal: true }, "repair insist fail"],
    ["notes", { notes: "x" }, "a list"],
  ])("%s in the options: %o", async (field, options, allowed) => {
    const error = await asked({}, options);
    expect(error).toMatchObject({ isMullError: true, category: "invalid_argument", field });
    expect(String(error)).toContain(allowed);
  });

  test("an empty key is none", async () => {
    const error = await failed(() =>
      chat("gpt-6-sol", { messages: [said] }, { apiKey: " ", env: {} }),
    );
    expect(error).toMatchObject({ category: "auth", code: "missing_key" });
  });
});

describe("R9 a misspelt name is refused with the one that was meant", () => {
  test.each<[string, () => unknown, string]>([
    ["levle", () => asked({ levle: "high" }), "level"],
    ["temprature", () => asked({ temprature: 1 }), "temperature"],
    ["max_output_tokens", () => asked({ max_output_tokens: 9 }), "maxOutputTokens"],
    ["maxTokens", () => asked({ maxTokens: 9 }), "maxOutputTokens"],
    ["reasoning_effort", () => asked({ reasoning_effort: "low" }), "level"],
    ["breakpoint", () => asked({ cache: { breakpoint: true } }), "breakpoints"],
    ["baseURL", () => asked({}, { baseURL: "https://x.test" }), "baseUrl"],
    ["abortSignal", () => asked({}, { abortSignal: AbortSignal.abort() }), "signal"],
    ["totlMs", () => asked({}, { limits: { totlMs: 5, idleMs: 5 } }), "totalMs"],
    ["levle", () => agent({ levle: "high" }), "level"],
    ["maxStep", () => agent({ maxStep: 3 }), "maxSteps"],
    ["messages", () => agent({ messages: [said] }), "history"],
    ["levle", () => agent({}).use(wrong({ levle: "high" })), "level"],
    ["levle", () => agent({}).send("hi", wrong({ levle: "high" })), "level"],
    ["singal", () => agent({}).send("hi", wrong({ singal: 1 })), "signal"],
  ])("%s (%o)", async (field, run, meant) => {
    const error = await failed(run);
    expect(error).toMatchObject({ isMullError: true, category: "invalid_argument", field });
    expect(error).toMatchObject({ allowed: [meant] });
    expect(String(error)).toContain(`Did you mean ${meant}?`);
  });

  test("one that is nothing of ours is refused where nothing else is", async () => {
    const only = wrong({ timeout: 5 });
    for (const run of [
      () => chat("gpt-6-sol", { messages: [said] }, only),
      () => agent({}).use(only),
      () => new Agent("gpt-6-sol", only),
    ]) {
      const error = await failed(run);
      expect(error).toMatchObject({ category: "invalid_argument", field: "timeout" });
      expect(String(error)).toContain("is not known here. Allowed: ");
    }
  });

  test("what an object holds beside is left alone, as TypeScript leaves it", async () => {
    const settings = { level: "low", label: "mine", levels: ["low"], theme: "dark", tool: "pen" };
    expect(await asked(settings, { name: "mine", block: undefined })).toMatchObject({
      status: 400,
    });
    expect(agent(settings).use(wrong(settings)).target.level).toBe("low");
  });
});
