import { describe, expect, test } from "vitest";
import { isMullError } from "../types/error.ts";
import type { Fetch } from "../types/http.ts";
import type { JsonObject } from "../types/json.ts";
import type { Message, UserMessage } from "../types/message.ts";
import type { ThinkingPlan } from "../types/plan.ts";
import type { ChatRequest } from "../types/request.ts";
import { planThinking } from "../dial/plan.ts";
import { resolveModel } from "../providers/index.ts";
import { chat, streamChat, streamOver } from "./ask.ts";
import { compose } from "./compose.ts";
import { connect } from "./connection.ts";

const said = (text: string): UserMessage => ({ role: "user", parts: [{ type: "text", text }] });
const ask: ChatRequest = { messages: [said("hi")] };
const tools = [{ name: "f", inputSchema: { type: "object" } }];

interface Line {
  readonly fetch: Fetch;
  readonly sent: JsonObject[];
}

const refusal = (message: string): Response =>
  Response.json(
    { type: "error", error: { type: "invalid_request_error", message } },
    { status: 400 },
  );

const frames: readonly JsonObject[] = [
  { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 3, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Yes." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];

const fine = (): Response =>
  new Response(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });

/** Answers in turn, the last answer for ever, and keeps what was sent. */
function line(...answers: readonly (() => Response)[]): Line {
  const sent: JsonObject[] = [];
  return {
    sent,
    fetch: (_, init) => {
      sent.push(JSON.parse(init.body as string) as JsonObject);
      const answer = answers.at(Math.min(sent.length, answers.length) - 1);
      return Promise.resolve(answer?.() ?? Response.error());
    },
  };
}

const options = ({ fetch }: Line): { fetch: Fetch; env: Readonly<Record<string, string>> } => ({
  fetch,
  env: {},
});

const failureOf = async (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("what a caller's object has beside its options", () => {
  test("F-G4: it takes nothing away from what is scrubbed, and names nobody else", async () => {
    const apiKey = ["key", "of", "mine"].join("-");
    const stray = { secrets: [], provider: "somebody", apiKey };
    const open = line(() => refusal(`no good: ${apiKey}`));
    const error = await failureOf(chat("claude-sonnet-5", ask, { ...options(open), ...stray }));
    expect(error).toMatchObject({ provider: "anthropic", status: 400 });
    expect(String(error)).not.toContain(apiKey);
  });
});

describe("before anything is sent", () => {
  test("what a rule can repair is repaired and on the receipt", async () => {
    const open = line(fine);
    const request = { ...ask, level: "low", temperature: 0.3, tools } as const;
    const { receipt } = await chat(
      "claude-sonnet-4-5",
      { ...request, extra: { temperature: 0.3 } },
      options(open),
    );
    expect(receipt.repairs).toMatchObject([
      { rule: expect.stringContaining("anthropic/") as string },
    ]);
    expect(open.sent[0]).not.toHaveProperty("temperature");
  });

  test("heal fail: it is refused instead, with the rule and what would help", async () => {
    const open = line(fine);
    const request: ChatRequest = { ...ask, level: "low", extra: { temperature: 0.3 } };
    const error = await failureOf(
      chat("claude-sonnet-4-5", request, { ...options(open), heal: "fail" }),
    );
    expect(error).toMatchObject({ category: "invalid_argument", code: "preflight" });
    expect(error).toMatchObject({ rule: expect.stringContaining("anthropic/") as string });
    expect(open.sent).toEqual([]);
  });

  test("tools on Chat Completions for a model that is never off: refused, the way out named", async () => {
    const open = line(fine);
    const error = await failureOf(
      chat("openai-chat:gpt-6-astra/low", { ...ask, tools }, options(open)),
    );
    expect(error).toMatchObject({
      rule: "openai-chat/effort-with-tools",
      fix: expect.stringContaining("Use the Responses API") as string,
    });
    expect(open.sent).toEqual([]);
  });

  test("a model the catalogue calls retired is still asked: the service has the last word", async () => {
    const open = line(fine);
    await chat("claude-3-7-sonnet-20250219", ask, options(open));
    expect(open.sent).toHaveLength(1);
  });

  test.each<readonly [string, Partial<ChatRequest>]>([
    ["messages", { messages: [] }],
    ["maxOutputTokens", { maxOutputTokens: 0 }],
    ["temperature", { temperature: 3 }],
    ["topP", { topP: Number.NaN }],
    ["system", { system: "half \ud83d" }],
    ["messages.at(-1).parts[0].text", { messages: [said("half \udc00")] }],
    ["tools.f", { tools: [...tools, ...tools] }],
    ["extra", { extra: { f: (() => 1) as never } }],
    ["level", { level: "maximum" as never }],
  ])("R9 %s out of range is refused by name", async (field, wrong) => {
    const open = line(fine);
    const error = await failureOf(chat("claude-sonnet-4-5", { ...ask, ...wrong }, options(open)));
    expect(error).toMatchObject({ category: "invalid_argument", field });
    expect(open.sent).toEqual([]);
  });
});

const said400 = (): Response => refusal("This model does not support the effort parameter.");

describe("P-A15 a known refusal", () => {
  const request: ChatRequest = { ...ask, level: "low" };

  test("is repaired and sent once more, and the receipt tells", async () => {
    const open = line(said400, fine);
    const { receipt, text } = await chat("claude-opus-5-5", request, options(open));
    expect(text).toBe("Yes.");
    expect(open.sent.map((body) => body["output_config"])).toEqual([{ effort: "low" }, undefined]);
    expect(receipt.repairs).toMatchObject([
      { rule: "anthropic/effort-unsupported", error: expect.stringContaining("effort") as string },
    ]);
    expect(receipt.sent).not.toHaveProperty("output_config");
    expect(receipt.attempts.map(({ status }) => status)).toEqual([400, 200]);
  });

  test("a second refusal stands: two requests, never a third", async () => {
    const open = line(said400, () =>
      refusal("messages.0: Invalid `signature` in `thinking` block"),
    );
    const error = await failureOf(chat("claude-opus-5-5", request, options(open)));
    expect(error).toMatchObject({ status: 400 });
    expect(open.sent).toHaveLength(2);
  });

  test("heal fail: one request, the service's own words", async () => {
    const open = line(said400, fine);
    const asking = chat("claude-opus-5-5", request, { ...options(open), heal: "fail" });
    const error = await failureOf(asking);
    expect(isMullError(error) && error.message).toContain("does not support the effort parameter");
    expect(open.sent).toHaveLength(1);
  });
});

describe("a conversation of which nothing can be sent", () => {
  const empty: Message = { role: "user", parts: [{ type: "text", text: "" }] };

  test.each(["claude-sonnet-4-5", "gpt-6-sol", "openai-chat:gpt-5", "gemini-3.8-flash"])(
    "P-A15 is refused here, with the reason and what to do: %s",
    async (ref) => {
      const open = line(fine);
      const error = await failureOf(chat(ref, { messages: [empty] }, options(open)));
      expect(error).toMatchObject({
        code: "nothing_to_send",
        message: expect.stringContaining("(nothing left to send)"),
        fix: expect.stringContaining("append a user message"),
      });
      expect(open.sent).toEqual([]);
    },
  );

  test.each(["claude-opus-5-5", "gemini-3.8-flash"])(
    "P-A15 a system prompt without a question is refused in words for %s",
    async (ref) => {
      const messages: readonly Message[] = [
        { role: "system", parts: [{ type: "text", text: "Be brief." }] },
      ];
      const open = line(fine);
      expect(await failureOf(chat(ref, { messages }, options(open)))).toMatchObject({
        code: "nothing_to_send",
        message: expect.stringContaining("(there are only system messages)"),
      });
      expect(open.sent).toEqual([]);
    },
  );
});

test("P-A15 a refusal names its place once, also where the service begins with it", async () => {
  const named: ChatRequest = { ...ask, tools: [{ name: "a b", inputSchema: { type: "object" } }] };
  const error = await failureOf(chat("claude-sonnet-4-5", named, options(line(fine))));
  expect(error).toMatchObject({
    message: expect.stringMatching(/^tools\.0\.custom\.name: String should match/),
    field: "tools.0.custom.name",
  });
});

const toolCodes = ({ notes }: ThinkingPlan): readonly string[] =>
  notes.map((note) => note.code).filter((code) => code.startsWith("tool"));

describe("P-A12 a forced tool", () => {
  const forced: ChatRequest = { ...ask, tools, toolChoice: { tool: "f" } };

  const named = { type: "function", function: { name: "f" } };
  const dropped = ["tool-choice-dropped"];

  test.each([
    ["deepseek-v4-pro/auto", undefined, dropped],
    ["deepseek-v4-flash/high", undefined, dropped],
    ["deepseek-v4-flash/none", named, []],
    ["deepseek-chat", named, []],
    ["qwen3.7-max/high", undefined, dropped],
    ["qwen3.7-max/none", named, []],
    ["qwen-plus", named, []],
    ["openrouter:qwen/qwen3.7-max/high", named, []],
    ["kimi-k2.6", undefined, dropped],
    ["kimi-k3", "required", ["tool-choice-widened"]],
    ["glm-4.7/none", undefined, dropped],
    ["claude-opus-5-5", undefined, dropped],
    ["claude-sonnet-4-5/med", undefined, dropped],
    ["claude-sonnet-4-5/none", { type: "tool", name: "f" }, []],
    ["gpt-6-sol/high", { type: "function", name: "f" }, []],
  ])("is known before %s is asked", (ref, choice, codes) => {
    const target = resolveModel(ref);
    const { encoded, plan } = compose(target, forced);
    expect(encoded.body["tool_choice"]).toEqual(choice);
    expect(toolCodes(plan)).toEqual(codes);
    expect(toolCodes(planThinking({ ...target, ...forced }))).toEqual(codes);
  });

  test("with a JSON schema Google's models choose themselves", () => {
    const { encoded, plan } = compose(resolveModel("gemini-3.8-flash"), {
      ...forced,
      output: { schema: { type: "object" } },
    });
    expect(encoded.body["toolConfig"]).toBeUndefined();
    expect(plan.notes.at(-1)?.message).toBe(
      "gemini-3.8-flash takes no forced tool choice with a JSON schema: the model chooses.",
    );
  });

  test("P-A12 is forced again where an open loop has turned thinking off", () => {
    const { encoded, plan } = compose(resolveModel("claude-sonnet-4-5/med"), {
      ...forced,
      messages: [
        ...ask.messages,
        { role: "assistant", parts: [{ type: "tool-call", id: "a", name: "f", input: {} }] },
        {
          role: "tool",
          parts: [{ type: "tool-result", callId: "a", name: "f", output: "1" }],
        },
      ],
    });
    expect(plan.setting.type).toBe("off");
    expect(encoded.body["tool_choice"]).toEqual({ type: "tool", name: "f" });
  });
});

describe("a stream", () => {
  test("nothing is sent before it is asked for; leaving it early has no result", async () => {
    const open = line(fine);
    const stream = streamChat("claude-sonnet-4-5", ask, options(open));
    expect([open.sent.length, stream.receipt(), stream.partial()]).toEqual([
      0,
      undefined,
      undefined,
    ]);
    await stream.return?.();
    await expect(stream.result()).rejects.toMatchObject({ category: "aborted" });
    expect(open.sent).toEqual([]);
  });

  test("its result is the same whether or not it is iterated", async () => {
    const open = line(fine);
    const stream = streamChat("claude-sonnet-4-5", ask, options(open));
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect([types[0], types.at(-1)]).toEqual(["start", "finish"]);
    const { text, usage, receipt } = await stream.result();
    expect([text, usage.total, receipt.plan.model]).toEqual(["Yes.", 5, "claude-sonnet-4-5"]);
  });
});

test.each([{}, { output: { schema: { type: "object" }, check: false as const } }])(
  "F-G13: who passes an answer on gets all events that came together: %j",
  async (wanted) => {
    const target = resolveModel("claude-opus-5-5");
    const connection = connect(target.provider, { apiKey: "sk-ant-a" }, true);
    const stream = streamOver(connection, target, { ...ask, ...wanted }, options(line(fine)));
    const events = await stream.together();
    expect(events.map(({ type }) => type)).toEqual(["start", "text", "part", "finish"]);
    expect(stream.receipt(true)).not.toHaveProperty("usage");
    expect(stream.receipt()).toMatchObject({ usage: { input: 3, output: 2 } });
    expect(await stream.together()).toEqual([]);
  },
);
