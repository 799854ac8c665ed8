import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../../../../test/runs.ts";
import { isMullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart, Origin } from "../../../types/message.ts";
import type { DecodeContext, ServeContext } from "../../../types/wire.ts";
import { anthropicMessages } from "../index.ts";
import { anthropicMessagesMirror } from "../service/mirror.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decode } from "./decode.ts";

const wire = "anthropic-messages" as const;
const origin: Origin = { wire, provider: "anthropic", model: "claude-opus-5-5" };
const context: DecodeContext = {
  origin,
  now: () => 0,
  newId: () => "made-here",
  hotReader: createHotReader,
};

const word = fc.string({ unit: "binary", maxLength: 12 });
const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const json = fc
  .dictionary(fc.oneof(name, fc.constant("__proto__")), fc.jsonValue())
  // JSON has no negative zero.
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)));
const seal = (data: JsonObject): { seal: { origin: Origin; data: JsonObject } } => ({
  seal: { origin, data },
});

const textPart = fc
  .record({ text: word, citations: fc.array(fc.record({ title: word }), { maxLength: 2 }) })
  .map(({ text, citations }): AssistantPart => ({
    type: "text",
    text,
    ...(citations.length > 0 && { extra: { wire, fields: { citations } } }),
  }));
const thinkingPart = fc
  .record({ text: word, signature: word })
  .map(({ text, signature }): AssistantPart => ({
    type: "thinking",
    text,
    visibility: text === "" ? "hidden" : "summary",
    ...(signature !== "" && seal({ signature })),
  }));
const redactedPart = word.map((redacted): AssistantPart => ({
  type: "thinking",
  text: "",
  visibility: "redacted",
  ...seal({ redacted }),
}));
const callPart = fc
  .record({ id: name, name, input: json })
  .map((call): AssistantPart => ({ type: "tool-call", ...call }));
const opaquePart = fc
  .record({
    kind: fc.constantFrom("server_tool_use", "mcp_tool_use", "web_search_tool_result"),
    input: json,
  })
  .map(({ kind, input }): AssistantPart => ({
    type: "opaque",
    wire,
    kind,
    data: { type: kind, input },
  }));
const brokenCall = name.map((id): AssistantPart => ({
  type: "tool-call",
  id,
  name: "f",
  input: {},
  invalid: { raw: "{", reason: "arguments are not valid JSON" },
}));

const finishes: readonly Reply["finish"][] = [
  { reason: "stop", raw: "end_turn" },
  { reason: "tool-calls", raw: "tool_use" },
  { reason: "length", raw: "max_tokens" },
  { reason: "pause", raw: "pause_turn" },
];

const replies = (part: fc.Arbitrary<AssistantPart>): fc.Arbitrary<Reply> =>
  fc
    .record({
      // An id that comes twice in an answer is replaced.
      parts: fc.uniqueArray(part, {
        maxLength: 6,
        selector: (each) => (each.type === "tool-call" ? each.id : each),
      }),
      finish: fc.constantFrom(...finishes),
      id: name,
      servedModel: name,
      counts: fc.tuple(
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.option(fc.nat(), { nil: undefined }),
      ),
      metadata: fc.record(
        {
          container: fc.record({ id: name }),
          context_management: fc.record({ edits: fc.constant([]) }),
          stop_sequence: name,
          novel: name,
        },
        { requiredKeys: ["novel"] },
      ),
    })
    .map(({ parts, finish, id, servedModel, counts, metadata }) => {
      const [input, cacheRead, cacheWrite, output, thinking] = counts;
      return {
        message: { role: "assistant", parts, origin },
        finish,
        usage: {
          input,
          cacheRead,
          cacheWrite,
          output,
          ...(thinking !== undefined && { thinking, thinkingSource: "reported" as const }),
          total: input + cacheRead + cacheWrite + output + (thinking ?? 0),
        },
        id,
        servedModel,
        metadata,
      };
    });

const wholeParts = fc.oneof(textPart, thinkingPart, redactedPart, callPart, opaquePart);

const serve = (cut: number): ServeContext => ({
  model: "m",
  id: "msg",
  created: 0,
  pieces: (text) =>
    Array.from({ length: Math.ceil(text.length / cut) }, (_, i) =>
      text.slice(i * cut, (i + 1) * cut),
    ),
});

/** The wire's own usage object and the stamps of the clock are not part of what was said. */
function comparable(reply: Reply): unknown {
  const { raw: _, ...usage } = reply.usage;
  const parts = reply.message.parts.map((part) => {
    if (part.type !== "thinking") return part;
    const { startedAt: _from, durationMs: _for, ...rest } = part;
    return rest;
  });
  return { ...reply, usage, message: { ...reply.message, parts } };
}

function decodeFrames(frames: readonly string[]): {
  reply: Reply | undefined;
  events: StreamEvent[];
} {
  const decoder = anthropicMessages.decodeStream(context);
  const events: StreamEvent[] = [];
  for (const frame of frames) decoder.push(frame, undefined, events);
  decoder.end(events);
  const last = events.at(-1);
  return { events, reply: last?.type === "finish" ? last.reply : undefined };
}

test("R152 R153 R154: what is streamed is what was said, however it is cut", () => {
  fc.assert(
    fc.property(
      replies(fc.oneof(wholeParts, brokenCall)),
      fc.integer({ min: 1, max: 5 }),
      (reply, cut) => {
        const events = anthropicMessagesMirror.encodeStream(reply, serve(cut));
        const decoded = decodeFrames(events.map(({ data }) => data));
        expect(comparable(decoded.reply!)).toEqual(comparable(reply));
      },
    ),
  );
});

test("a whole answer comes back as it was", () => {
  fc.assert(
    fc.property(replies(wholeParts), (reply) => {
      const body: unknown = JSON.parse(
        JSON.stringify(anthropicMessagesMirror.encodeReply(reply, serve(1))),
      );
      expect(comparable(decode(body, context))).toEqual(comparable(reply));
    }),
  );
});

/** The same frame with its keys in another order, which the fast path does not know. */
const reordered = (data: string): string => {
  const frame = JSON.parse(data) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(Object.entries(frame).toReversed()));
};

test("the fast path and the parser give the same events", () => {
  fc.assert(
    fc.property(replies(wholeParts), fc.integer({ min: 1, max: 5 }), (reply, cut) => {
      const frames = anthropicMessagesMirror
        .encodeStream(reply, serve(cut))
        .map(({ data }) => data);
      expect(decodeFrames(frames).events).toEqual(decodeFrames(frames.map(reordered)).events);
    }),
  );
});

test("F-G2: a stream cut behind any event but the last is a typed error", () => {
  const [reply] = fc.sample(replies(wholeParts), { numRuns: 1, seed: 7 }) as [Reply];
  const frames = anthropicMessagesMirror.encodeStream(reply, serve(3)).map(({ data }) => data);
  for (let end = 0; end < frames.length; end++) {
    expect(() => decodeFrames(frames.slice(0, end))).toThrow(
      expect.objectContaining({ category: "protocol" }),
    );
  }
});

/** One way to spoil a stream: drop, double or swap a frame, or change one character. */
const spoil = (
  frames: readonly string[],
  how: number,
  at: number,
  char: string,
): readonly string[] => {
  const i = at % frames.length;
  const frame = frames[i] ?? "";
  const place = at % (frame.length + 1);
  const next = frames[i + 1] ?? frame;
  const changed = [
    [],
    [frame, frame],
    [next, frame],
    [frame.slice(0, place) + char + frame.slice(place + 1)],
    [frame.slice(0, place)],
  ][how % 5];
  return [...frames.slice(0, i), ...(changed ?? []), ...frames.slice(i + 1)];
};

test("F-G9: whatever is done to a stream, it decodes or fails as a typed error", () => {
  const char = fc.constantFrom('"', "{", "}", "\\", "0", "-", "é", ",", "\u0000");
  fc.assert(
    fc.property(replies(wholeParts), fc.nat(), fc.nat(), char, (reply, how, at, change) => {
      const whole = anthropicMessagesMirror.encodeStream(reply, serve(4)).map(({ data }) => data);
      let failure: unknown;
      try {
        decodeFrames(spoil(whole, how, at, change));
      } catch (error) {
        failure = error;
      }
      expect(failure === undefined || isMullError(failure)).toBe(true);
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: runs(2000), seed: 42 },
  );
});
