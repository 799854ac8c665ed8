import { describe, expect, test } from "vitest";
import { resolveModel } from "../providers/index.ts";
import type { JsonObject } from "../types/json.ts";
import type { Message, ToolCallPart } from "../types/message.ts";
import type { Wire } from "../types/wire.ts";
import type { ComposedNext } from "./compose-next.ts";
import { createChecked, say, talkOf } from "./testing/talk.ts";

const claude = "claude-opus-5-5";
type Loose<T> = { -readonly [K in keyof T]: T[K] };

const inputOf = (messages: readonly Message[]): Loose<ToolCallPart> =>
  messages[5]?.parts[0] as Loose<ToolCallPart>;

/** Whether each of so many requests found something to take over. */
const askAgain = (count: number, ask: () => ComposedNext): readonly boolean[] =>
  Array.from({ length: count }, () => ask().written !== undefined);

const isSame = (got: unknown, whole: unknown): void => expect(got).toEqual(whole);

describe("who is asked, and how", () => {
  test("what bears on no message may change: the past is kept", () => {
    const composeNext = createChecked(isSame);
    const target = resolveModel(claude);
    const messages = talkOf(6);
    const changes = [{}, {}, { temperature: 1 }, { maxOutputTokens: 900 }, { userId: "me" }, {}];
    const reused = changes.map((fields, at) => {
      const context = { contextTokens: 1000 + at };
      return composeNext(target, { messages, ...fields }, context).written !== undefined;
    });
    expect(reused).toEqual([false, true, true, true, true, true]);
  });

  test("a wire of the caller's own is always given the whole history", () => {
    const composeNext = createChecked(isSame);
    const { provider, ...rest } = resolveModel(claude);
    const marked: Wire = {
      ...provider.wire,
      encode: (request, target) => {
        const encoded = provider.wire.encode(request, target);
        const list = encoded.body["messages"] as readonly JsonObject[];
        const messages = list.map((item, at) => ({ ...item, left: list.length - at }));
        return { ...encoded, body: { ...encoded.body, messages } };
      },
    };
    const target = { ...rest, provider: { ...provider, wire: marked } };
    const messages = talkOf(6);
    const reused = askAgain(3, () => composeNext(target, { messages }, {}));
    expect(reused).toEqual([false, false, false]);
  });

  test("other rows for the models that sealed thoughts are other rights", () => {
    const composeNext = createChecked(isSame);
    const target = resolveModel(claude);
    const origin = { wire: "anthropic-messages", provider: "anthropic", model: "mine" } as const;
    const thought = { type: "thinking", text: "", visibility: "hidden" } as const;
    const seal = { origin, data: { signature: "s" } };
    const answer: Message = {
      role: "assistant",
      parts: [
        { ...thought, seal },
        { type: "text", text: "Yes." },
      ],
    };
    const messages = [say("user", "Is it?"), answer, ...talkOf(6)];
    const rows = [undefined, undefined, { ...target.model, row: target.model.id }];
    const sizes = rows.map((row) => {
      const { encoded } = composeNext(target, { messages }, { modelOf: () => row });
      return JSON.stringify(encoded.body).length;
    });
    expect(sizes[1]).toBe(sizes[0]);
    expect(sizes[2]).not.toBe(sizes[1]);
  });

  test("a vendor that always sends messages of its own has them sent", () => {
    const composeNext = createChecked(isSame);
    const { provider, ...rest } = resolveModel("openai-chat:gpt-5-mini");
    const body = { messages: [{ role: "user", content: "Hi" }] };
    const target = { ...rest, provider: { ...provider, quirks: { ...provider.quirks, body } } };
    const messages = talkOf(6);
    const reused = askAgain(3, () => composeNext(target, { messages }, {}));
    expect(reused).toEqual([false, false, false]);
  });

  test("half a character in the name of a field is seen", () => {
    const composeNext = createChecked(isSame);
    const messages = talkOf(6);
    const extra = { ["half \ud800"]: 1 };
    const reused = askAgain(3, () => composeNext(resolveModel(claude), { messages, extra }, {}));
    expect(reused).toEqual([false, true, true]);
  });

  test("a request that is refused leaves what was kept as it is", () => {
    const composeNext = createChecked(isSame);
    const target = resolveModel(claude);
    const messages = talkOf(6);
    const ask = (temperature: number): boolean =>
      composeNext(target, { messages, temperature }, {}).written !== undefined;
    ask(1);
    expect(() => ask(9)).toThrow("temperature");
    expect([ask(1), ask(1)]).toEqual([true, true]);
    expect(() => ask(9)).toThrow("temperature");
    expect(ask(1)).toBe(true);
  });

  test("what is wrong with a message is told with its place in the whole history", () => {
    const composeNext = createChecked(isSame);
    const messages = [...talkOf(6)];
    askAgain(2, () => composeNext(resolveModel(claude), { messages }, {}));
    messages.push({ role: "assistant" } as Message, say("user", "Well?"));
    const ask = (): unknown => composeNext(resolveModel(claude), { messages }, {});
    expect(ask).toThrow("messages[25]");
  });
});

const holed = (length: number, at: number): readonly unknown[] => {
  const list: unknown[] = Array.from({ length: at });
  list.length = length;
  list[at] = "x";
  return list;
};
const written = (value: number): PropertyDescriptor => ({
  value: () => value,
  configurable: true,
});

interface Change {
  readonly what: string;
  readonly before: unknown;
  readonly after: (before: object) => unknown;
  /** Composed anew each time. */
  readonly isNeverKept?: true;
}

describe("values that look the same", () => {
  const changes: readonly Change[] = [
    {
      what: "a date in place of an empty object",
      before: {},
      after: () => new Date(0),
      isNeverKept: true,
    },
    { what: "a hole at the beginning", before: holed(2, 1), after: () => ["x", undefined] },
    { what: "a hole at the end", before: holed(2, 0), after: () => ["x", 1] },
    {
      what: "a way of its own to be written, unseen",
      before: Object.defineProperty({ a: 1 }, "toJSON", written(1)),
      after: (before) => Object.defineProperty(before, "toJSON", written(2)),
      isNeverKept: true,
    },
    { what: "a list in place of an object", before: {}, after: () => [] },
    { what: "a number in place of a text", before: { a: "1" }, after: () => ({ a: 1 }) },
    { what: "minus one in place of an empty object", before: {}, after: () => -1 },
    { what: "null in place of nothing", before: { a: undefined }, after: () => ({ a: null }) },
    { what: "another order of fields", before: { a: 1, b: 2 }, after: () => ({ b: 2, a: 1 }) },
  ];

  test.each(changes)("$what", ({ before, after, isNeverKept }) => {
    const composeNext = createChecked(isSame);
    const target = resolveModel(claude);
    const messages = talkOf(6);
    const part = inputOf(messages);
    part.input = before as never;
    askAgain(3, () => composeNext(target, { messages }, {}));
    part.input = after(before as object) as never;
    const reused = askAgain(3, () => composeNext(target, { messages }, {}));
    expect(reused).toEqual(isNeverKept ? [false, false, false] : [false, true, true]);
  });

  test("what is written in a way that changes is written anew each time", () => {
    const composeNext = createChecked(isSame);
    const messages = talkOf(6);
    let count = 0;
    inputOf(messages).input = { toJSON: () => Math.floor(count) } as never;
    for (; count < 4; count++) {
      const { encoded } = composeNext(resolveModel("gpt-5.2"), { messages }, {});
      expect(JSON.stringify(encoded.body)).toContain(`"arguments":"${count}"`);
    }
  });

  test("a message whose parts nobody sees when going through its fields", () => {
    const composeNext = createChecked(isSame);
    const messages = talkOf(6).slice();
    const hidden = { type: "text" };
    Object.defineProperty(hidden, "text", { value: "Old.", writable: true });
    messages[3] = { role: "assistant", parts: [hidden as never] };
    for (let i = 0; i < 3; i++) composeNext(resolveModel(claude), { messages }, {});
    Object.assign(hidden, { text: "New." });
    const { encoded } = composeNext(resolveModel(claude), { messages }, {});
    expect(JSON.stringify(encoded.body)).toContain("New.");
  });
});
