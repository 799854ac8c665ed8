import { describe, expect, test } from "vitest";
import { findModel } from "../catalogue/find-model.ts";
import { compose } from "../chat/compose.ts";
import { resolveModel } from "../providers/index.ts";
import type { JsonObject } from "../types/json.ts";
import type { AssistantMessage, AssistantPart, Message, Origin, Part } from "../types/message.ts";
import type { HistoryChange } from "../types/plan.ts";
import type { Level } from "../types/level.ts";

const asked = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

const originOf = (ref: string): Origin => {
  const { provider, model } = resolveModel(ref);
  return { wire: provider.wire.id, provider: provider.id, model: model.id };
};

const answered = (origin: Origin, ...parts: readonly AssistantPart[]): AssistantMessage => ({
  role: "assistant",
  origin,
  parts,
});

const said = (text: string): AssistantPart => ({ type: "text", text });

const thought = (origin: Origin, data: JsonObject): AssistantPart => ({
  type: "thinking",
  text: "Hm.",
  visibility: "full",
  seal: { origin, data },
});

interface Sent {
  readonly messages: readonly JsonObject[];
  readonly system: unknown;
  readonly changes: readonly HistoryChange[];
  readonly withheld: readonly HistoryChange[];
}

const send = (ref: string, level: Level, messages: readonly Message[]): Sent => {
  const { encoded, prepared } = compose({ ...resolveModel(ref), level }, { messages });
  return {
    messages: encoded.body["messages"] as readonly JsonObject[],
    system: encoded.body["system"],
    changes: prepared.changes,
    withheld: prepared.withheld,
  };
};

const rolesOf = ({ messages }: Sent): readonly unknown[] => messages.map(({ role }) => role);

/** An answer that was asked for with this effort. */
const withEffort = (effort: string, message: AssistantMessage): AssistantMessage => ({
  ...message,
  effort,
});

describe("a change of effort", () => {
  const claude = originOf("claude-fable-5-2");
  const opus = originOf("claude-opus-5");
  const first = [asked("0"), withEffort("high", answered(claude, said("0")))];
  const lost = withEffort("low", answered(claude, thought(claude, { signature: "sig" })));

  test("F-S17 goes behind the next question when of its answer only a thought came", () => {
    const sent = send("claude-fable-5-2", "low", [...first, asked("a"), lost, asked("b")]);
    expect(rolesOf(sent)).toEqual(["user", "assistant", "user", "system"]);
    expect(sent.messages.at(-1)).toMatchObject({ output_config: { effort: "low" } });
  });

  test("F-S17 gives way to a later one", () => {
    const sent = send("claude-fable-5-2", "max", [...first, asked("a"), lost, asked("b")]);
    expect(rolesOf(sent)).toEqual(["user", "assistant", "user", "system"]);
    expect(sent.messages.at(-1)).toMatchObject({ output_config: { effort: "max" } });
  });

  test("P-A12 is left out while thinking is off", () => {
    const messages = [
      asked("a"),
      withEffort("high", answered(opus, said("b"))),
      asked("c"),
      withEffort("low", answered(opus, said("d"))),
      asked("e"),
    ];
    expect(rolesOf(send("claude-opus-5", "none", messages))).not.toContain("system");
    expect(rolesOf(send("claude-opus-5", "low", messages))).toContain("system");
  });

  test("F-S17 waits for a question where the history was cut before it", () => {
    const sent = send("claude-fable-5-2", "low", [
      withEffort("high", answered(claude, said("a"))),
      withEffort("low", answered(claude, said("b"))),
      asked("c"),
    ]);
    expect(sent.messages.at(-1)).toMatchObject({
      role: "system",
      output_config: { effort: "low" },
    });
  });
});

describe("words of the system in mid conversation", () => {
  const claude = originOf("claude-fable-5-2");
  const words: Message = { role: "system", parts: [{ type: "text", text: "Be brief." }] };

  test("P-A15 go behind the next question, and leave what stands before them as it was", () => {
    const messages = [asked("a"), answered(claude, said("b")), words, asked("c")];
    const sent = send("claude-fable-5-2", "high", messages);
    expect(rolesOf(sent)).toEqual(["user", "assistant", "user", "system"]);
    expect(sent.system).toBeUndefined();
  });

  test("P-A15 are the system prompt in front of everything", () => {
    const sent = send("claude-fable-5-2", "high", [words, words, asked("a")]);
    expect([rolesOf(sent), sent.system]).toMatchObject([["user"], [{}, {}]]);
  });
});

describe("words to go on from", () => {
  const claude = originOf("claude-opus-4-5");

  test("P-E1 do not end in white space, which Claude refuses", () => {
    const begun = answered(claude, said("It is \n"), said(" "));
    const sent = send("claude-opus-4-5", "none", [asked("a"), begun]);
    expect(sent.messages[1]).toMatchObject({ content: [{ type: "text", text: "It is" }] });
    expect(sent.changes).toMatchObject([{ code: "space-cut", message: 1 }]);
  });

  test("P-E1 are sent as they are in a paused answer of a model that takes no others", () => {
    const model = "claude-opus-5-5";
    const data = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
    const part = {
      type: "opaque",
      wire: "anthropic-messages",
      kind: "server_tool_use",
      data,
    } as const;
    const paused = answered(originOf(model), part, said("Wait "));
    const sent = send(model, "high", [asked("a"), paused]);
    expect(sent.messages[1]).toMatchObject({ content: [data, { type: "text", text: "Wait " }] });
    expect(sent.changes).toEqual([]);
  });

  test("P-E1 are sent as they are where something stands behind them", () => {
    const sent = send("claude-opus-4-5", "none", [
      asked("a"),
      answered(claude, said("It is ")),
      asked("b"),
    ]);
    expect(sent.messages[1]).toMatchObject({ content: [{ type: "text", text: "It is " }] });
    expect(sent.changes).toEqual([]);
  });
});

describe("an answer that was asked for behind another one", () => {
  const claude = originOf("claude-opus-4-6");
  const call: AssistantPart = { type: "tool-call", id: "toolu_1", name: "f", input: {} };
  const first = answered(claude, said("Half an answer."));
  const second = answered(claude, thought(claude, { signature: "sig" }), call);

  test("P-E1 keeps the line that asked for it, so that its thoughts stay where they were", () => {
    const before = send("claude-opus-4-6", "high", [asked("a"), first]);
    const after = send("claude-opus-4-6", "high", [asked("a"), first, second]);
    expect(after.messages.slice(0, 3)).toEqual(before.messages);
    expect(rolesOf(after)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(after.changes).toContainEqual({
      code: "user-added",
      message: 2,
      detail: "this answer followed another one; a line of text was put between them",
    });
  });

  test("P-E1 is one with it where thinking is off and words are gone on from", () => {
    const sent = send("claude-opus-4-5", "none", [asked("a"), first, second]);
    expect(rolesOf(sent)).toEqual(["user", "assistant", "user"]);
  });

  test("P-E1 leaves no line behind when nothing of it is sent", () => {
    const lost = answered(claude, thought(claude, { signature: "sig" }));
    const sent = send("claude-opus-4-6", "high", [asked("a"), first, lost, asked("b")]);
    expect(JSON.stringify(sent.messages)).not.toContain("Continue.");
  });
});

test("P-A15 words that are nothing but space are not sent to Claude", () => {
  const claude = originOf("claude-opus-5-5");
  const blank = said(" \n");
  const messages = [
    asked("a"),
    answered(claude, thought(claude, { signature: "sig" }), blank),
    asked("\n"),
    answered(claude, blank, { type: "tool-call", id: "toolu_1", name: "f", input: {} }),
    asked("b"),
  ];
  const sent = send("claude-opus-5-5", "high", messages);
  expect(rolesOf(sent)).toEqual(["user", "assistant", "user"]);
  expect(sent.withheld).toMatchObject([{ message: 1, part: 0 }]);
  expect(sent.changes).toContainEqual(
    expect.objectContaining({ code: "empty-message", message: 2 }),
  );
  expect(send("openai-chat:gpt-4.1", "auto", messages).messages).toContainEqual({
    role: "user",
    content: "\n",
  });
});

test.each(["claude-opus-5-5", "claude-opus-4-5"])(
  "P-A15 a system message of nothing but space is not sent to %s",
  (ref) => {
    const blank: Message = { role: "system", parts: [{ type: "text", text: " " }] };
    const sent = send(ref, "high", [asked("a"), blank, asked("b")]);
    expect(JSON.stringify(sent.messages)).not.toContain('" "');
    expect(sent.changes).toMatchObject([{ code: "empty-message", message: 1 }]);
  },
);

test("F-S17 a thought whose calls were cut is told as withheld where only calls keep thoughts", () => {
  const glm = originOf("zai:glm-5.3");
  const cut: AssistantPart = {
    type: "tool-call",
    id: "call_1",
    name: "f",
    input: {},
    cut: true,
    send: false,
  };
  const messages = [
    asked("a"),
    answered(glm, thought(glm, { field: "reasoning_content" }), cut),
    asked("b"),
  ];
  const sent = send("zai:glm-5.3", "high", messages);
  expect(sent.withheld).toMatchObject([{ message: 1, part: 0 }]);
  expect(JSON.stringify(sent.messages)).not.toContain("Hm.");
});

test.each([
  "vllm:Qwen/Qwen3-8B",
  "ollama:qwen3:8b",
  "llamacpp:Qwen3-1.7B",
  "groq:openai/gpt-oss-20b",
])("P-G1 %s has its own thoughts back, whatever the catalogue calls it", (ref) => {
  const origin = originOf(ref);
  const call: AssistantPart = { type: "tool-call", id: "call_1", name: "f", input: {} };
  const messages = [asked("a"), answered(origin, thought(origin, { field: "reasoning" }), call)];
  const { provider, model } = resolveModel(ref);
  const context = { modelOf: (id: string) => findModel(id) };
  const { prepared } = compose({ provider, model }, { messages }, context);
  expect(prepared.withheld).toEqual([]);
  expect(JSON.stringify(prepared.messages)).toContain("Hm.");
});

const callTo = (id: string, name: string): AssistantPart => ({
  type: "tool-call",
  id,
  name,
  input: {},
});
const nameOf = (part: Part): unknown => "name" in part && part.name;

test.each(["claude-opus-5-5", "gpt-6-sol", "openai-chat:gpt-4.1", "deepseek:deepseek-v4-pro"])(
  "P-G1 %s is sent a call to a tool that nobody declared under a name it takes",
  (ref) => {
    const { provider, model } = resolveModel(ref);
    const { prepared } = compose(
      { provider, model },
      {
        messages: [
          asked("a"),
          {
            role: "assistant",
            parts: [callTo("c1", "functions.look"), callTo("c2", ""), callTo("c3", "look.up")],
          },
          asked("b"),
        ],
        tools: [{ name: "look.up", inputSchema: { type: "object" } }],
      },
    );
    const names = ["functions_look", "_", "look.up"];
    expect(prepared.messages[1]?.parts.map(nameOf)).toEqual(names);
    expect(prepared.messages[2]?.parts.map(nameOf)).toEqual(names);
    expect(
      prepared.changes.filter(({ code }) => code === "call-renamed").map(({ detail }) => detail),
    ).toEqual(['"functions.look" is sent as functions_look', '"" is sent as _']);
  },
);
