import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  nat,
  oneof,
  option,
  property,
  record,
  string,
  stringMatching,
  tuple,
  uuid,
} from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart, Seal } from "../../../types/message.ts";
import type { DecodeContext, ServeContext } from "../../../types/wire.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decodeStream } from "./decode-stream.ts";
import { decode } from "./decode.ts";
import { openaiChatMirror } from "../service/mirror.ts";
import { readFinish } from "./parts.ts";
import { readUsage } from "../../common/openai-usage.ts";

const origin = { wire: "openai-chat", provider: "p", model: "m" } as const;
const context: DecodeContext = { origin, now: () => 5, newId: () => "made-here" };
const sealOf = (data: JsonObject): Seal => ({ origin, data });

const anyText = oneof(
  string({ unit: "binary", minLength: 1, maxLength: 40 }),
  constantFrom('"', "\\", '{"content":"x"}', "\u2028", "\ud800", "</think>", "[DONE]"),
);

const details = array(
  oneof(
    record({
      type: constant("reasoning.text"),
      text: anyText,
      signature: anyText,
      format: constant("f"),
    }),
    record({ type: constant("reasoning.encrypted"), data: anyText, id: uuid() }),
  ),
  { minLength: 1, maxLength: 3 },
);

const thinkingPart = record({
  text: anyText,
  field: constantFrom("reasoning_content", "reasoning", "reasoning_text"),
  details: option(details),
}).map(({ text, field, details: list }): AssistantPart => ({
  type: "thinking",
  text,
  visibility: "full",
  seal: sealOf({
    field,
    ...(list !== null && {
      reasoning_details: list.map((detail, index) => ({ ...detail, index })),
    }),
  }),
}));
const textPart = anyText.map((text): AssistantPart => ({ type: "text", text }));
const input = dictionary(
  oneof(string(), constantFrom("__proto__", "constructor", "toString")),
  oneof(anyText, integer(), boolean(), constant(null)),
);
const callPart = record({
  id: uuid(),
  name: stringMatching(/^[a-z_]{1,12}$/),
  input,
  signature: option(anyText),
}).map(({ id, name, input: args, signature }): AssistantPart => ({
  type: "tool-call",
  id,
  name,
  input: JSON.parse(JSON.stringify(args)) as JsonObject,
  ...(signature !== null && {
    seal: sealOf({ extra_content: { google: { thought_signature: signature } } }),
  }),
}));
const opaquePart = anyText.map((text): AssistantPart => {
  return {
    type: "opaque",
    wire: "openai-chat",
    kind: "reference",
    data: { type: "reference", text },
  };
});

const usage = record({
  prompt: nat(999),
  completion: nat(999),
  share: integer({ min: 1, max: 9 }),
}).map(({ prompt, completion, share }): JsonObject => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  completion_tokens_details: { reasoning_tokens: Math.ceil(completion / share) },
}));

const replyOf = (
  parts: readonly AssistantPart[],
  raw: JsonObject | null,
  finish: string,
  metadata: JsonObject,
): Reply => {
  const shows = parts.some((part) => part.type === "thinking");
  return {
    message: { role: "assistant", parts, origin },
    finish: readFinish(finish, parts, undefined),
    usage: raw === null ? {} : readUsage(raw, false, shows),
    id: "chatcmpl-1",
    servedModel: "m-1",
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
};

/** Neighbours of one kind are one part on this wire, so none are generated. */
const anyOrder = array(oneof(thinkingPart, textPart, callPart, opaquePart), { maxLength: 8 }).map(
  (parts) =>
    parts.filter((part, index) => {
      const before = parts[index - 1];
      return part.type === "tool-call" || part.type === "opaque" || part.type !== before?.type;
    }),
);
/** A whole message has one field a kind: thinking, then text, then calls. */
const wholeOrder = tuple(
  option(thinkingPart),
  option(textPart),
  array(callPart, { maxLength: 3 }),
).map(([thinking, text, calls]) => [thinking, text, ...calls].filter((part) => part !== null));

const rest = tuple(
  option(usage),
  constantFrom("stop", "tool_calls", "length", "content_filter", "weird"),
  constantFrom<JsonObject>(
    {},
    { service_tier: "default" },
    JSON.parse('{"__proto__":{"a":1}}') as JsonObject,
  ),
);

const piecesBy =
  (sizes: readonly number[]) =>
  (text: string): readonly string[] => {
    const pieces: string[] = [];
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    return pieces;
  };

const serve = (sizes: readonly number[]): ServeContext => ({
  model: "x",
  id: "y",
  created: 1,
  pieces: piecesBy(sizes),
});

function readEvents(frames: readonly { data: string }[], isFast: boolean): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  const decoder = decodeStream({ ...context, ...(isFast && { hotReader: createHotReader }) });
  for (const { data } of frames) decoder.push(data, undefined, events);
  decoder.end(events);
  return events;
}

/** When a block streamed is no part of what the service said. */
const unstamped = (part: AssistantPart): AssistantPart => {
  if (part.type !== "thinking") return part;
  const { startedAt: _start, durationMs: _duration, ...whole } = part;
  return whole;
};

const finalReply = (events: readonly StreamEvent[]): Reply | undefined => {
  const last = events.at(-1);
  if (last?.type !== "finish") return undefined;
  const { reply } = last;
  return { ...reply, message: { ...reply.message, parts: reply.message.parts.map(unstamped) } };
};

const sizes = array(integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });

/** The same replies in every run: some branches of the wire are only seen here, and coverage is held to all. */
const fixed = { seed: 42, numRuns: 200 };

describe("what is served is what is read", () => {
  it("F-S1 R152 R153 R154 F-S11 F-S23 a streamed reply comes back, however it is cut", () => {
    assert(
      property(anyOrder, rest, sizes, (parts, [raw, finish, metadata], cuts) => {
        const reply = replyOf(parts, raw, finish, metadata);
        const frames = openaiChatMirror.encodeStream(reply, serve(cuts));
        expect(finalReply(readEvents(frames, true))).toEqual(reply);
        expect(({} as { a?: unknown }).a).toBeUndefined();
      }),
      fixed,
    );
  });

  it("R113 a whole reply comes back", () => {
    assert(
      property(wholeOrder, rest, (parts, [raw, finish, metadata]) => {
        const reply = replyOf(parts, raw, finish, metadata);
        const body: unknown = JSON.parse(
          JSON.stringify(openaiChatMirror.encodeReply(reply, serve([9]))),
        );
        expect(decode(body, context)).toEqual(reply);
      }),
      fixed,
    );
  });

  it("the fast path and the slow path give the same events", () => {
    assert(
      property(
        anyOrder,
        rest,
        sizes,
        boolean(),
        (parts, [raw, finish, metadata], cuts, isPadded) => {
          const reply = replyOf(parts, raw, finish, metadata);
          const frames = openaiChatMirror
            .encodeStream(reply, serve(cuts))
            .map(({ data }, index) => ({
              data:
                isPadded && data !== "[DONE]"
                  ? `${data.slice(0, -1)},"obfuscation":"${"x".repeat(index % 7)}"}`
                  : data,
            }));
          expect(readEvents(frames, true)).toEqual(readEvents(frames, false));
        },
      ),
      fixed,
    );
  });
});
