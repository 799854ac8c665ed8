import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/runs.ts";
import type { JsonObject, JsonValue } from "../types/json.ts";
import {
  wireIds,
  type AssistantPart,
  type FilePart,
  type Message,
  type OpaquePart,
  type Origin,
  type Seal,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
} from "../types/message.ts";
import { History } from "./history.ts";

/** Any string of UTF-16 units: halves of characters, NUL and line separators included. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom("", "\u0000", "\ud800", "a\udc00b", "__proto__", "\u2028"),
);

const wire = fc.constantFrom(...wireIds);

/** JSON has no negative zero. */
const json: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

const object: fc.Arbitrary<JsonObject> = fc
  .dictionary(anyText, json, { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

const origin: fc.Arbitrary<Origin> = fc.record(
  { wire, provider: anyText, model: anyText, endpoint: anyText, account: anyText },
  { requiredKeys: ["wire", "provider", "model"] },
);

const seal: fc.Arbitrary<Seal> = fc.record(
  { origin, prefix: anyText, data: object },
  { requiredKeys: ["origin", "data"] },
);

const base = { seal, extra: fc.record({ wire, fields: object }) };
const marks = { show: fc.constant(false as const), send: fc.constant(false as const) };

const text: fc.Arbitrary<TextPart> = fc.record(
  { type: fc.constant("text" as const), text: anyText, ...base, ...marks },
  { requiredKeys: ["type", "text"] },
);

const thinking: fc.Arbitrary<ThinkingPart> = fc.record(
  {
    type: fc.constant("thinking" as const),
    text: anyText,
    visibility: fc.constantFrom("full", "summary", "hidden", "redacted"),
    durationMs: fc.nat(),
    ...base,
    ...marks,
  },
  { requiredKeys: ["type", "text", "visibility"] },
);

const call: fc.Arbitrary<ToolCallPart> = fc.record(
  {
    type: fc.constant("tool-call" as const),
    id: anyText,
    name: anyText,
    input: json,
    localId: fc.constant(true as const),
    ...base,
  },
  { requiredKeys: ["type", "id", "name", "input"] },
);

const file: fc.Arbitrary<FilePart> = fc.record(
  {
    type: fc.constant("file" as const),
    mediaType: fc.constantFrom("image/png", "application/pdf", "text/plain"),
    source: fc.oneof(
      fc.record({ type: fc.constant("base64" as const), data: anyText }),
      fc.record({ type: fc.constant("url" as const), url: anyText }),
    ),
    name: anyText,
  },
  { requiredKeys: ["type", "mediaType", "source"] },
);

const opaque: fc.Arbitrary<OpaquePart> = fc.record(
  { type: fc.constant("opaque" as const), wire, kind: anyText, data: object, ...base },
  { requiredKeys: ["type", "wire", "kind", "data"] },
);

const result: fc.Arbitrary<ToolResultPart> = fc.record(
  {
    type: fc.constant("tool-result" as const),
    callId: anyText,
    name: anyText,
    output: fc.oneof(anyText, fc.array(fc.oneof(text, file), { maxLength: 2 })),
    isError: fc.constant(true as const),
  },
  { requiredKeys: ["type", "callId", "name", "output"] },
);

const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(text, thinking, call, file, opaque);

const listOf = <T>(part: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(part, { maxLength: 4 });

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    role: fc.constant("system" as const),
    parts: listOf(fc.oneof(text, opaque)),
  }),
  fc.record({
    role: fc.constant("user" as const),
    parts: listOf(fc.oneof(text, file, opaque)),
  }),
  fc.record(
    {
      role: fc.constant("assistant" as const),
      parts: listOf(assistantPart),
      origin,
      interrupted: fc.constant(true as const),
    },
    { requiredKeys: ["role", "parts"] },
  ),
  fc.record({ role: fc.constant("tool" as const), parts: listOf(result) }),
);

const anyMessages: fc.Arbitrary<Message[]> = fc.array(anyMessage, { maxLength: 12 });

describe("P-I1 P-I3 P-I5 F-H4 a history survives every way of carrying it", () => {
  test("JSON, structured clone and the bytes of a file, whatever stands in it", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const history = History.from(messages);
        const written = JSON.stringify(history);
        const bytes = new TextEncoder().encode(written);
        for (const back of [
          History.parse(written),
          History.parse(structuredClone(history.toJSON())),
          History.parse(new TextDecoder().decode(bytes)),
        ]) {
          expect(back.messages).toEqual(messages);
          expect(JSON.stringify(back)).toBe(written);
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
