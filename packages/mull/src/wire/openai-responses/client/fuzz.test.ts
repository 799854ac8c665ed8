import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../../test/runs.ts";
import { isMullError } from "../../../types/error.ts";
import type { StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { openaiResponses } from "../index.ts";
import { openaiResponsesMirror } from "../service/mirror.ts";
import { rulesOf } from "../../../rules.ts";
import { context, type Frame, turn } from "../testing/frames.ts";
import { gpt6 } from "../testing/requests.ts";
import { decode } from "./decode.ts";

const anything = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(null, -1, 0, 1, 2 ** 60, "", "x", [], {}, true) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  )
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)));

/** A copy of `value` in which the field at the end of a random path is something else. */
function mutate(
  value: JsonValue | undefined,
  path: readonly number[],
  other: JsonValue,
): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return other;
  if (Array.isArray(value) && value.length > 0) {
    return value.map((each: JsonValue, at) =>
      at === step % value.length ? mutate(each, rest, other) : each,
    );
  }
  if (!isJsonObject(value)) return other;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  return key === undefined ? other : { ...value, [key]: mutate(value[key], rest, other) };
}

const path = fc.array(fc.nat(12), { minLength: 1, maxLength: 5 });
const mutations = fc.array(fc.tuple(path, anything), { minLength: 1, maxLength: 4 });

/** `undefined` where nothing, or one of our own errors, was thrown. */
function foreignError(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    if (!isMullError(error)) return error;
  }
  return undefined;
}

const request: JsonObject = {
  model: "gpt-6-sol",
  input: [
    {
      role: "user",
      content: [
        { type: "input_text", text: "Hi" },
        { type: "input_image", image_url: "u" },
      ],
    },
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "g" },
    { type: "function_call", id: "fc_1", call_id: "c", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "x" }] },
    {
      type: "message",
      role: "assistant",
      id: "msg_1",
      content: [{ type: "output_text", text: "x" }],
    },
  ],
  reasoning: { effort: "low", summary: "auto" },
  tools: [{ type: "function", name: "f", parameters: {}, strict: false }],
  tool_choice: { type: "function", name: "f" },
  text: { format: { type: "json_schema", name: "n", schema: {}, strict: true } },
};

describe("mutated input (F-G9)", () => {
  it("makes streams fail with our own errors only", () => {
    fc.assert(
      fc.property(mutations, (changes) => {
        const frames = changes.reduce<JsonValue>(
          (all, [at, other]) => mutate(all, at, other),
          turn,
        );
        const decoder = openaiResponses.decodeStream(context);
        const out: StreamEvent[] = [];
        const error = foreignError(() => {
          for (const frame of Array.isArray(frames) ? frames : []) {
            decoder.push(JSON.stringify(frame), (frame as Frame | null)?.type, out);
          }
          decoder.end(out);
        });
        expect(error).toBeUndefined();
        expect(foreignError(() => decoder.partial())).toBeUndefined();
        expect(out.filter(({ type }) => type === "finish").length).toBeLessThan(2);
      }),
      { seed: 21, numRuns: runs(3000) },
    );
  });

  it("makes answers and requests fail with our own errors only", () => {
    const output = turn.flatMap((frame) =>
      frame.type.endsWith("done") ? [frame["item"] ?? null] : [],
    );
    const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 1 }, total_tokens: 1 };
    const answer: JsonObject = {
      id: "r",
      status: "completed",
      output,
      usage,
      reasoning: { effort: "low" },
    };
    fc.assert(
      fc.property(mutations, (changes) => {
        const change = (from: JsonObject): JsonValue =>
          changes.reduce<JsonValue>((all, [at, other]) => mutate(all, at, other), from);
        expect(foreignError(() => decode(change(answer), context))).toBeUndefined();
        const body = change(request);
        const failure = foreignError(() => {
          if (!isJsonObject(body)) return;
          const input = {
            wire: "openai-responses",
            model: gpt6,
            path: "/responses",
            headers: {},
            body,
          } as const;
          for (const rule of rulesOf("openai-responses")) {
            rule.check(input);
            rule.repair?.(input);
          }
          const read = openaiResponsesMirror.decodeRequest({
            path: "/responses",
            headers: {},
            body,
          });
          openaiResponses.encode(read, { model: gpt6 });
        });
        expect(failure).toBeUndefined();
      }),
      { seed: 22, numRuns: runs(3000) },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
