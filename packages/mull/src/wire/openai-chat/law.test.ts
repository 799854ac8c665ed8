import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reply, StreamEvent } from "../../types/event.ts";
import type { JsonObject } from "../../types/json.ts";
import type { AssistantPart, Seal } from "../../types/message.ts";
import type { DecodeContext, ServeContext } from "../../types/wire.ts";
import { createStreamDecoder } from "./decode-stream.ts";
import { openaiChat } from "./index.ts";
import { openaiChatMirror } from "./mirror.ts";
import { readFinish } from "./parts.ts";
import { readUsage } from "./usage.ts";

const origin = { wire: "openai-chat", provider: "p", model: "m" } as const;
const context: DecodeContext = { origin, now: () => 5, newId: () => "made-here" };
const sealOf = (data: JsonObject): Seal => ({ origin, data });

const anyText = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
  fc.constantFrom('"', "\\", '{"content":"x"}', "\u2028", "\ud800", "</think>", "[DONE]"),
);

const details = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant("reasoning.text"),
      text: anyText,
      signature: anyText,
      format: fc.constant("f"),
    }),
    fc.record({ type: fc.constant("reasoning.encrypted"), data: anyText, id: fc.uuid() }),
  ),
  { minLength: 1, maxLength: 3 },
);

const thinkingPart = fc
  .record({
    text: anyText,
    field: fc.constantFrom("reasoning_content", "reasoning", "reasoning_text"),
    details: fc.option(details),
  })
  .map(({ text, field, details: list }): AssistantPart => ({
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
const input = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString")),
  fc.oneof(anyText, fc.integer(), fc.boolean(), fc.constant(null)),
);
const callPart = fc
  .record({
    id: fc.uuid(),
    name: fc.stringMatching(/^[a-z_]{1,12}$/),
    input,
    signature: fc.option(anyText),
  })
  .map(({ id, name, input: args, signature }): AssistantPart => ({
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

const usage = fc
  .record({ prompt: fc.nat(999), completion: fc.nat(999), share: fc.integer({ min: 1, max: 9 }) })
  .map(({ prompt, completion, share }): JsonObject => ({
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
const anyOrder = fc
  .array(fc.oneof(thinkingPart, textPart, callPart, opaquePart), { maxLength: 8 })
  .map((parts) =>
    parts.filter((part, index) => {
      const before = parts[index - 1];
      return part.type === "tool-call" || part.type === "opaque" || part.type !== before?.type;
    }),
  );
/** A whole message has one field a kind: thinking, then text, then calls. */
const wholeOrder = fc
  .tuple(fc.option(thinkingPart), fc.option(textPart), fc.array(callPart, { maxLength: 3 }))
  .map(([thinking, text, calls]) => [thinking, text, ...calls].filter((part) => part !== null));

const rest = fc.tuple(
  fc.option(usage),
  fc.constantFrom("stop", "tool_calls", "length", "content_filter", "weird"),
  fc.constantFrom<JsonObject>(
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
  const decoder = createStreamDecoder(context, isFast);
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

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });

describe("what is served is what is read", () => {
  it("S1 R152 R153 R154 S11 S23 a streamed reply comes back, however it is cut", () => {
    fc.assert(
      fc.property(anyOrder, rest, sizes, (parts, [raw, finish, metadata], cuts) => {
        const reply = replyOf(parts, raw, finish, metadata);
        const frames = openaiChatMirror.encodeStream(reply, serve(cuts));
        expect(finalReply(readEvents(frames, true))).toEqual(reply);
        expect(({} as { a?: unknown }).a).toBeUndefined();
      }),
    );
  });

  it("R113 a whole reply comes back", () => {
    fc.assert(
      fc.property(wholeOrder, rest, (parts, [raw, finish, metadata]) => {
        const reply = replyOf(parts, raw, finish, metadata);
        const body: unknown = JSON.parse(
          JSON.stringify(openaiChatMirror.encodeReply(reply, serve([9]))),
        );
        expect(openaiChat.decode(body, context)).toEqual(reply);
      }),
    );
  });

  it("the fast path and the slow path give the same events", () => {
    fc.assert(
      fc.property(
        anyOrder,
        rest,
        sizes,
        fc.boolean(),
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
    );
  });
});
