import { anything, array, assert, integer, nat, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../../test/runs.ts";
import { createFraming } from "../../../transport/framing.ts";
import { isMullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import type { Quirks } from "../../../types/quirks.ts";
import { openaiChat } from "../index.ts";
import { openaiChatMirror } from "../service/mirror.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decode } from "./decode.ts";

const origin = { wire: "openai-chat", provider: "p", model: "m" } as const;
const quirks: Quirks = { thinkTags: [["<think>", "</think>"]] };
const context = { origin, quirks, now: () => 0, hotReader: createHotReader, newId: () => "x" };

const reply: Reply = {
  message: {
    role: "assistant",
    parts: [
      {
        type: "thinking",
        text: "Let me see, é 🎈.",
        visibility: "full",
        seal: {
          origin,
          data: {
            field: "reasoning",
            reasoning_details: [{ type: "reasoning.encrypted", data: "e" }],
          },
        },
      },
      { type: "text", text: "The answer is 4." },
      { type: "tool-call", id: "call_1", name: "add", input: { a: 2, b: [1, "x"] } },
    ],
  },
  finish: { reason: "tool-calls", raw: "tool_calls" },
  usage: { input: 3, output: 4, thinking: 5 },
};
const served = openaiChatMirror
  .encodeStream(reply, {
    model: "m-1",
    id: "c1",
    created: 1,
    pieces: (text) => text.match(/.{1,4}/gsu) ?? [],
  })
  .map(({ data }) => `data: ${data}\n\n`)
  .join("");
const bytes = new TextEncoder().encode(served);

function read(body: Uint8Array): Reply | undefined {
  const events: StreamEvent[] = [];
  const decoder = openaiChat.decodeStream(context);
  const framing = createFraming((data, event) => decoder.push(data, event, events));
  try {
    framing.push(body);
    framing.end();
    decoder.end(events);
  } catch (error) {
    if (!isMullError(error)) throw error;
    return undefined;
  }
  const last = events.at(-1);
  return last?.type === "finish" ? last.reply : undefined;
}

describe("whatever arrives", () => {
  it("F-N4 F-G2 a stream cut at any byte is complete or an error, never short", () => {
    const whole = read(bytes);
    for (let end = 0; end <= bytes.length; end++) {
      const part = read(bytes.subarray(0, end));
      expect(part?.message ?? whole?.message).toEqual(whole?.message);
    }
  });

  it("F-G9 mutated streams give answers or typed errors", () => {
    const change = tuple(nat(bytes.length - 1), integer({ min: 0, max: 255 }));
    assert(
      property(array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const body = bytes.slice();
        for (const [at, value] of changes) body[at] = value;
        read(body);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it("F-G9 whole bodies and refusals of any shape give answers or typed errors", () => {
    assert(
      property(anything(), anything(), (message, more) => {
        const body = { choices: [{ message, delta: more }], usage: more, error: undefined };
        for (const value of [body, message, { choices: more, error: message }]) {
          let error: unknown;
          try {
            decode(value, context);
          } catch (thrown) {
            error = thrown;
          }
          expect(error === undefined || isMullError(error)).toBe(true);
        }
      }),
    );
  });
});
