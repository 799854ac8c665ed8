import { describe, expect, test } from "vitest";
import { findModel } from "../catalogue/find-model.ts";
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  Seal,
  SystemMessage,
  ThinkingPart,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from "../types/message.ts";
import type { Model } from "../types/model.ts";
import { prepare, type Prepared, type PrepareTarget } from "./prepare.ts";

const said = (text: string): UserMessage => ({ role: "user", parts: [{ type: "text", text }] });
const call = (id: string, extra: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: "tool-call",
  id,
  name: "f",
  input: {},
  ...extra,
});
const result = (...ids: readonly string[]): ToolMessage => ({
  role: "tool",
  parts: ids.map((callId) => ({ type: "tool-result", callId, name: "f", output: `of ${callId}` })),
});
const answered = (...parts: readonly AssistantPart[]): AssistantMessage => ({
  role: "assistant",
  parts,
});

const prepareFor = (
  id: string,
  messages: readonly Message[],
  extra: Partial<PrepareTarget> & { readonly row?: Partial<Model> } = {},
): Prepared => {
  const { row, ...target } = extra;
  const model = { ...findModel(id), ...row };
  return prepare(messages, {
    model,
    provider: model.provider,
    wire: model.wire,
    setting: { type: "default" },
    modelOf: (name) => findModel(name),
    ...target,
  });
};

const codes = ({ changes }: Prepared): readonly string[] => changes.map(({ code }) => code);

describe("P-C6 every call has one result, directly behind it", () => {
  test("a call without a result is answered as interrupted", () => {
    const prepared = prepareFor("gpt-6-sol", [said("a"), answered(call("c1")), said("b")]);
    expect(prepared.messages[2]).toMatchObject({
      role: "tool",
      parts: [{ callId: "c1", isError: true, output: "Interrupted: this call has no result." }],
    });
    expect(codes(prepared)).toEqual(["call-answered"]);
  });

  test.each(["gpt-6-sol", "claude-opus-5-5", "gemini-3.8-flash", "openai-chat:gpt-5"])(
    "a result without a call goes as quoted text that names its tool, wherever it stands: %s",
    (model) => {
      const messages = [
        result("c0"),
        said("a"),
        answered(call("c1")),
        result("c1", "c2"),
        said("b"),
      ];
      const prepared = prepareFor(model, messages);
      const roles = prepared.messages.map(({ role }) => role);
      expect(roles).toEqual(["user", "user", "assistant", "tool", "user", "user"]);
      for (const at of [0, 4])
        expect(prepared.messages[at]?.parts).toEqual([
          {
            type: "text",
            text: expect.stringMatching(/^The tool \w+ returned:\n"""\nof \w+\n"""$/),
          },
        ]);
      expect(prepared.messages[3]?.parts).toHaveLength(1);
      expect(codes(prepared)).toEqual(["result-quoted", "result-quoted"]);
    },
  );

  test("P-I2 what is marked never to be sent is not, and its call is answered all the same", () => {
    const marked: ToolMessage = {
      role: "tool",
      parts: result("c1", "c2").parts.map((part, index) =>
        index === 0
          ? { ...part, send: false }
          : {
              ...part,
              output: [
                { type: "text", text: "kept here", send: false },
                { type: "text", text: "shown" },
              ],
            },
      ),
    };
    const messages = [said("a"), answered(call("c1"), call("c2")), marked, said("b")];
    const prepared = prepareFor("gemini-3.8-flash", messages);
    expect(prepared.messages[2]?.parts).toMatchObject([
      { callId: "c1", output: "Interrupted: this call has no result." },
      { callId: "c2", output: [{ text: "shown" }] },
    ]);
    expect(JSON.stringify(prepared.messages)).not.toContain("kept here");
  });

  test("results behind something else go back to their calls, in the order of the calls", () => {
    const messages = [said("a"), answered(call("c1"), call("c2")), said("b"), result("c2", "c1")];
    const prepared = prepareFor("claude-opus-5-5", messages);
    expect(prepared.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    expect(prepared.messages[2]).toMatchObject({ parts: [{ callId: "c1" }, { callId: "c2" }] });
    expect(codes(prepared)).toEqual(["results-moved"]);
  });

  test("an id used twice is told apart, on call and result", () => {
    const loop = [answered(call("c1")), result("c1")];
    const prepared = prepareFor("gpt-6-sol", [said("a"), ...loop, ...loop, said("b")]);
    const json = JSON.stringify(prepared.messages);
    const [first, firstResult, second, secondResult] = [
      ...json.matchAll(/"(?:id|callId)":"([^"]+)"/g),
    ].map(([, id]) => id);
    expect([first, second]).toEqual([firstResult, secondResult]);
    expect(first).not.toBe(second);
  });

  test("F-W17: so is one that fifty thousand calls have, each with its own result", () => {
    const outputs = Array.from({ length: 50_000 }, (_, nth) => `output ${nth}`);
    const calls = outputs.map(() => call("c1"));
    const parts = outputs.map((output) => ({
      type: "tool-result" as const,
      callId: "c1",
      name: "f",
      output,
    }));
    const messages = [said("a"), answered(...calls), { role: "tool" as const, parts }];
    const prepared = prepareFor("gpt-6-sol", messages);
    const ids = (prepared.messages[1]?.parts ?? []).map((part) => (part as ToolCallPart).id);
    expect(new Set(ids).size).toBe(outputs.length);
    expect(prepared.messages[2]?.parts).toMatchObject(
      ids.map((callId, nth) => ({ callId, output: `output ${nth}` })),
    );
  });

  test("ids fit the alphabet and length of the target, the strictest included", () => {
    const odd = ["a|b", "x".repeat(99), "", "ok_1"];
    const messages = [said("a"), answered(...odd.map((id) => call(id))), result(...odd)];
    const quirks = { callId: { maxLength: 9, pattern: "^[a-zA-Z0-9]{9}$" } };
    for (const [target, fits] of [
      [{}, /^[A-Za-z0-9_-]{1,64}$/],
      [{ quirks }, /^[a-zA-Z0-9]{9}$/],
    ] as const) {
      const prepared = prepareFor("gpt-6-sol", messages, target);
      const ids = (prepared.messages[1]?.parts ?? []).map((part) => (part as ToolCallPart).id);
      expect(new Set(ids).size).toBe(4);
      expect(ids.every((id) => fits.test(id))).toBe(true);
      expect(prepared.messages[2]).toMatchObject({ parts: ids.map((callId) => ({ callId })) });
    }
  });
});

describe("blocks and settings of one vendor stay with it", () => {
  const search: AssistantPart = {
    type: "opaque",
    wire: "anthropic-messages",
    kind: "server_tool_use",
    data: { type: "server_tool_use" },
  };

  test("a block mull does not model goes to its own wire only", () => {
    const messages = [said("a"), answered(search, { type: "text", text: "b" }), said("c")];
    const partsFor = (id: string): readonly string[] | undefined =>
      prepareFor(id, messages).messages[1]?.parts.map(({ type }) => type);
    expect(partsFor("claude-opus-5-5")).toEqual(["opaque", "text"]);
    expect(partsFor("gpt-6-sol")).toEqual(["text"]);
    const other: AssistantMessage = {
      ...answered(search, { type: "text", text: "b" }),
      origin: { wire: "anthropic-messages", provider: "gateway", model: "m" },
    };
    const prepared = prepareFor("claude-opus-5-5", [said("a"), other, said("c")]);
    expect(prepared.messages[1]?.parts.map(({ type }) => type)).toEqual(["text"]);
  });

  const update: SystemMessage = {
    role: "system",
    parts: [
      {
        type: "opaque",
        wire: "anthropic-messages",
        kind: "effort-update",
        data: { effort: "low" },
      },
    ],
  };

  test("P-B12 an update of effort that a history holds counts only while the dial says nothing", () => {
    const messages = [said("a"), update, said("b")];
    expect(prepareFor("claude-opus-5-5", messages).messages).toHaveLength(3);
    const setting = { type: "effort", effort: "high" } as const;
    for (const id of ["claude-opus-5-5", "gpt-6-sol", "gemini-3.8-flash"]) {
      expect(prepareFor(id, messages, { setting }).messages).toEqual([said("a"), said("b")]);
    }
  });

  test("words of the system in mid conversation go as the model takes them", () => {
    const rule: SystemMessage = { role: "system", parts: [{ type: "text", text: "Be brief." }] };
    const messages = [said("a"), rule, said("b")];
    expect(prepareFor("gpt-6-sol", messages).messages).toEqual(messages);
    const prepared = prepareFor("gemini-3.8-flash", messages);
    expect(prepared.messages[1]).toEqual(said("<system>\nBe brief.\n</system>"));
    expect(codes(prepared)).toEqual(["system-as-user"]);
  });

  test.each(["gemini-3.8-flash", "claude-sonnet-4-5", "mistral-large"])(
    "words of the system in front stay the system's on %s, later ones are the user's",
    (id) => {
      const rule: SystemMessage = { role: "system", parts: [{ type: "text", text: "Be brief." }] };
      const prepared = prepareFor(id, [
        rule,
        rule,
        said("a"),
        answered({ type: "text", text: "b" }),
        rule,
      ]);
      const roles = prepared.messages.map(({ role }) => role);
      expect(roles).toEqual(["system", "system", "user", "assistant", "user"]);
      expect(prepared.changes).toMatchObject([{ code: "system-as-user", message: 4 }]);
    },
  );

  test("a file the model does not take leaves a line in its place", () => {
    const image = {
      type: "file",
      mediaType: "image/png",
      name: "cat.png",
      source: { type: "base64", data: "AA==" },
    } as const;
    const shown: Message = {
      role: "tool",
      parts: [{ type: "tool-result", callId: "c1", name: "f", output: [image] }],
    };
    const messages = [{ role: "user", parts: [image] } as const, answered(call("c1")), shown];
    const blind = { row: { files: { images: false, pdf: false } } };
    const prepared = prepareFor("gpt-6-sol", messages, blind);
    expect(JSON.stringify(prepared.messages)).not.toContain("AA==");
    expect(codes(prepared)).toEqual(["file-omitted", "file-omitted"]);
    expect(prepareFor("gpt-6-sol", messages).messages).toEqual(messages);
  });
});

describe("P-C2 an item of OpenAI and what follows it", () => {
  const origin = { wire: "openai-responses", provider: "openai", model: "gpt-6-sol" } as const;
  const sealed = (id: string): { seal: Seal } => ({ seal: { origin, data: { id } } });
  const thought = (extra: Partial<ThinkingPart>, id: string): AssistantPart => ({
    type: "thinking",
    text: "hm",
    visibility: "summary",
    ...sealed(id),
    ...extra,
  });

  test("ids go with the item they hang on, and only with that one", () => {
    const message = answered(
      thought({ send: false }, "rs_1"),
      { type: "text", text: "b", ...sealed("msg_1") },
      thought({}, "rs_2"),
      call("c1", sealed("fc_1")),
    );
    const { messages } = prepareFor("gpt-6-sol", [said("a"), message, result("c1")]);
    expect(messages[1]?.parts.map(({ seal }) => seal?.data["id"])).toEqual([
      undefined,
      "rs_2",
      "fc_1",
    ]);
  });
});

describe("P-E6 P-E7 plain thinking is replayed by the server's own rule", () => {
  const origin = { wire: "openai-chat", provider: "deepseek", model: "deepseek-v4-pro" } as const;
  const thought: AssistantPart = {
    type: "thinking",
    text: "hm",
    visibility: "full",
    seal: { origin, data: { field: "reasoning_content" } },
  };
  const words: AssistantPart = { type: "text", text: "b" };
  const messages = [
    said("a"),
    answered(thought, call("c1")),
    result("c1"),
    answered(thought, words),
    said("b"),
    answered(thought, call("c2")),
    result("c2"),
  ];
  test.each([
    ["required", [1, 3, 5]],
    ["optional", [1, 3, 5]],
    ["tool-calls", [1, 5]],
    ["loop", [5]],
    ["forbidden", []],
  ] as const)("%s", (replay, where) => {
    const prepared = prepareFor("deepseek-v4-pro", messages, { row: { replay } });
    const found = prepared.messages.flatMap(({ parts }, at) =>
      parts.some(({ type }) => type === "thinking") ? [at] : [],
    );
    expect(found).toEqual(where);
    expect(prepared.withheld).toHaveLength(3 - where.length);
  });
});

/** Counts reads of messages: no clock, so no noise. */
function readsFor(count: number, id: string): number {
  let reads = 0;
  const watch = <T extends object>(message: T): T =>
    new Proxy(message, {
      get: (target, key, receiver) => {
        reads++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  const messages = Array.from({ length: count / 4 }, (_, at): readonly Message[] => [
    said("a"),
    answered(call(`c${at}`)),
    result(`c${at}`),
    answered({ type: "text", text: "b" }),
  ]).flat();
  prepareFor(id, [...messages.map(watch), said("end")]);
  return reads;
}

describe("F-G8 F-H1 the time it takes grows with the history, not faster", () => {
  test.each(["claude-opus-5-5", "claude-sonnet-4-5", "gpt-6-sol", "gemini-3.8-flash"])(
    "%s: ten times the messages, ten times the reads",
    (id) => {
      expect(readsFor(20_000, id) / readsFor(2000, id)).toBeLessThan(10.5);
    },
  );

  test("100,000 messages need no stack", () => {
    expect(readsFor(100_000, "claude-sonnet-4-5")).toBeGreaterThan(100_000);
  });
});
