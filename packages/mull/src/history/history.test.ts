import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMullError } from "../types/error.ts";
import type { Message, UserMessage } from "../types/message.ts";
import { History } from "./history.ts";

const said = (text: string): UserMessage => ({ role: "user", parts: [{ type: "text", text }] });

describe("P-I1 P-I3 a history survives JSON", () => {
  test("F-H3 half characters and NUL come back unit for unit", () => {
    const text = "\u0000 \ud800 \udc00 \udfff\ud83d 😀 \uffff";
    const back = History.parse(JSON.stringify(History.from([said(text)])));
    expect(back.messages).toEqual([said(text)]);
  });

  test("P-I3 a part of nothing but a seal is kept", () => {
    const message: Message = {
      role: "assistant",
      parts: [
        {
          type: "thinking",
          text: "",
          visibility: "redacted",
          seal: {
            origin: { wire: "anthropic-messages", provider: "anthropic", model: "m" },
            data: { redacted: "EmwK" },
          },
        },
      ],
    };
    expect(History.parse(JSON.stringify(History.from([message]))).messages).toEqual([message]);
  });

  test("P-I6 opaque data is never shortened, however long", () => {
    const signature = "A".repeat(3_000_000);
    const origin = { wire: "anthropic-messages", provider: "anthropic", model: "m" } as const;
    const message: Message = {
      role: "assistant",
      parts: [{ type: "text", text: "", seal: { origin, data: { signature } } }],
    };
    const back = History.parse(JSON.stringify(History.from([message])));
    expect(back.messages[0]?.parts[0]?.seal?.data["signature"]).toBe(signature);
  });
});

describe("a history is immutable and may branch", () => {
  test("appending leaves the old one as it was", () => {
    const one = History.from([said("a")]);
    const two = one.append(said("b"));
    expect([one.length, two.length]).toEqual([1, 2]);
    expect(two.messages).toEqual([said("a"), said("b")]);
  });

  test("a fork keeps what it leaves as a branch, and all of it is stored", () => {
    const first = History.from([said("a"), said("b"), said("c")]);
    const forked = first.fork(1).append(said("d"));
    expect(forked.messages).toEqual([said("a"), said("d")]);
    const back = History.parse(JSON.stringify(forked));
    expect(back.messages).toEqual(forked.messages);
    expect(back.branches().map(({ messages }) => messages.length)).toEqual([3, 2]);
    expect(first.fork(0).append(said("e")).messages).toEqual([said("e")]);
    expect(() => first.fork(4)).toThrow(/0 to 3/);
  });

  test("map makes a history of its own", () => {
    const mapped = History.from([said("a")]).map(() => said("z"));
    expect(mapped.messages).toEqual([said("z")]);
  });

  test("200,000 messages at once are no matter of the stack", () => {
    const messages = Array.from({ length: 200_000 }, () => said("x"));
    expect(History.from(messages).length).toBe(200_000);
  });
});

describe("F-H2 what is no history is refused with its place", () => {
  const good = JSON.parse(JSON.stringify(History.from([said("a"), said("b")]))) as object;
  const bad: readonly (readonly [string, unknown, string])[] = [
    ["cut JSON", JSON.stringify(good).slice(0, -5), "history"],
    ["no object", "42", "version"],
    ["no version", {}, "version"],
    ["a newer version", { ...good, version: 99 }, "version"],
    ["a version that is a word", { ...good, version: "1" }, "version"],
    ["no entries", { version: 1, head: -1 }, "entries"],
    ["a head beyond the end", { ...good, head: 2 }, "head"],
    ["an entry of no kind", { version: 1, head: 0, entries: [null] }, "entries[0]"],
    [
      "a parent that comes later",
      { version: 1, head: 0, entries: [{ parent: 0 }] },
      "entries[0].parent",
    ],
    ["no message", { version: 1, head: 0, entries: [{ parent: -1 }] }, "entries[0].message"],
    ["an unknown role", entry({ role: "robot", parts: [] }), "entries[0].message.role"],
    ["no parts", entry({ role: "user" }), "entries[0].message.parts"],
    ["a part of no kind", entry({ role: "user", parts: [1] }), "entries[0].message.parts[0]"],
    [
      "a part of another role",
      entry({ role: "user", parts: [{ type: "thinking", text: "", visibility: "full" }] }),
      "entries[0].message.parts[0].type",
    ],
    [
      "a missing field",
      entry({ role: "assistant", parts: [{ type: "tool-call", id: "1" }] }),
      "entries[0].message.parts[0].name",
    ],
    [
      "a call without input",
      entry({ role: "assistant", parts: [{ type: "tool-call", id: "1", name: "f" }] }),
      "entries[0].message.parts[0].input",
    ],
    [
      "half a seal",
      entry({ role: "user", parts: [{ type: "text", text: "", seal: { data: {} } }] }),
      "entries[0].message.parts[0].seal",
    ],
    [
      "a thinking part inside a result",
      entry({
        role: "tool",
        parts: [{ type: "tool-result", callId: "1", name: "f", output: [{ type: "thinking" }] }],
      }),
      "entries[0].message.parts[0].output[0].type",
    ],
    [
      "a name of Object.prototype for a role",
      entry({ role: "constructor", parts: [] }),
      "entries[0].message.role",
    ],
  ];
  test.each(bad)("%s", (_, value, field) => {
    expect(refusalOf(value)).toMatchObject({
      category: "invalid_argument",
      code: "invalid_history",
      field,
    });
  });

  test("a field that is wrong says what it must be", () => {
    const call = { type: "tool-call", id: 1, name: "f", input: {} };
    expect(refusalOf(entry({ role: "assistant", parts: [call] }))).toHaveProperty(
      "message",
      "history: entries[0].message.parts[0].id is not a string, as a tool-call part needs",
    );
  });

  test("a newer version is refused, never half read", () => {
    expect(() => History.parse({ ...good, version: 2 })).toThrow(
      "history: version 2 is newer than this mull reads (up to 1). Update mull.",
    );
  });

  test("version 0, a bare list of messages, is still read", () => {
    const old = [said("a"), said("b")];
    expect(History.parse(JSON.stringify(old)).messages).toEqual(old);
  });

  test("F-H6 a value nested too deep is refused before any store sees it", () => {
    let input: unknown = "end";
    for (let depth = 0; depth < 8000; depth++) input = { in: input };
    const origin = { wire: "openai-chat", provider: "p", model: "m" };
    const deep = [
      { type: "tool-call", id: "1", name: "f", input },
      { type: "opaque", wire: "openai-chat", kind: "x", data: { input } },
      { type: "thinking", text: "", visibility: "full", seal: { origin, data: { input } } },
      { type: "text", text: "", extra: { wire: "openai-chat", fields: { input } } },
    ] as never[];
    for (const part of deep) {
      expect(() => History.from([{ role: "assistant", parts: [part] }])).toThrow(/levels deep/);
    }
  });

  test("arbitrary JSON gives a history or a typed error, nothing else", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const error = refusalOf(JSON.stringify(value));
        expect(error === undefined || isMullError(error)).toBe(true);
      }),
    );
  });
});

function entry(message: unknown): unknown {
  return { version: 1, head: 0, entries: [{ parent: -1, message }] };
}

function refusalOf(value: unknown): unknown {
  try {
    History.parse(value as string);
    return undefined;
  } catch (error) {
    return error;
  }
}
