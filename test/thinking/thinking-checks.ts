import { isDeepStrictEqual } from "node:util";

import {
  compose,
  type ChatRequest,
  type Composed,
  type JsonObject,
  type Level,
  type LevelValue,
  type Reply,
  type WireId,
  mapLevel,
} from "mull";
import { resolveChoice } from "mull/wire";
import { expect } from "vitest";

import type { Outcome } from "../contract/ask.ts";
import { onlyExchange, replyOf, rawOf, wireOf } from "../contract/checks.ts";
import { playScenario, recordedModel } from "../contract/play-scenario.ts";
import { ask } from "../contract/requests.ts";
import type { Vendor } from "../contract/scenarios/scenario.ts";
import {
  fixtureLevels,
  thinkingCassette,
  thinkingQuestion,
} from "../contract/scenarios/thinking.ts";

/** The four positions of the documents, lowest first. */
export const positions = fixtureLevels;

/** The request a level makes on a model, with the plan behind it. Nothing is sent. */
export const requestFor = (
  model: string,
  level: Level,
  more: Omit<ChatRequest, "messages"> = {},
): Composed => compose(resolveChoice(model), ask(thinkingQuestion, { level, ...more }));

/** The value a table row means: a number of tokens, an effort word, a level word. */
const plain = (value: LevelValue): number | string | boolean => {
  switch (value.kind) {
    case "budget":
      return value.tokens;
    case "effort":
      return value.effort;
    case "level":
      return value.level;
    case "switch":
      return value.on;
    case "none":
      return "none";
    default:
      return value satisfies never;
  }
};

/** What the four positions mean on a model. */
export const valuesOn = (model: string): readonly (number | string | boolean)[] =>
  positions.map((level) => plain(mapLevel(model, level)));

/** Fails unless the four positions mean these values. */
export const checkBudget = (
  model: string,
  expected: readonly [
    none: number | string,
    low: number | string,
    med: number | string,
    high: number | string,
  ],
): void => {
  expect({ model, values: valuesOn(model) }).toEqual({ model, values: expected });
};

/** Fields of a request that would say anything about thinking, on any of the four wires. */
const thinkingFields = [
  ["thinking"],
  ["output_config"],
  ["reasoning"],
  ["reasoning_effort"],
  ["generationConfig", "thinkingConfig"],
] as const;

const at = (body: JsonObject, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], body);

/** What a request says about thinking: by field, only those that are there. */
export const thinkingIn = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    thinkingFields.flatMap((path) => {
      const value = at(body, path);
      return value === undefined ? [] : [[path.at(-1)!, value as JsonObject]];
    }),
  );

/** Fails unless the request says exactly this about thinking, and survives being JSON. */
export const checkRequestJson = (body: JsonObject, expected: JsonObject): void => {
  const parsed = JSON.parse(JSON.stringify(body)) as JsonObject;
  expect(isDeepStrictEqual(parsed, body)).toBe(true);
  expect(thinkingIn(parsed)).toEqual(expected);
};

/** A recorded answer at a level, with what stands in the cassette. */
export interface Fixture {
  readonly outcome: Outcome;
  readonly reply: Reply;
  readonly wire: WireId;
  readonly raw: ReturnType<typeof rawOf>;
}

/** Plays the cassette of a provider at a level, or its streamed one. */
export const loadFixture = async (
  vendor: Vendor,
  level: (typeof positions)[number] | "streaming",
): Promise<Fixture> => {
  const cassette = thinkingCassette(vendor, level);
  const outcome = await playScenario(cassette);
  const wire = wireOf(recordedModel(cassette));
  expect(onlyExchange(outcome).response.status).toBe(200);
  return { outcome, reply: replyOf(outcome), wire, raw: rawOf(outcome, wire) };
};

/** Fails unless the thinking of a reply is that of the cassette, before and apart from the text. */
export const checkExtracted = ({ reply, raw }: Pick<Fixture, "reply" | "raw">): void => {
  const { parts } = reply.message;
  const thinking = parts.flatMap((part) => (part.type === "thinking" ? [part.text] : [])).join("");
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  expect(thinking).not.toBe("");
  expect(thinking).toBe(raw.thinkingPieces.join(""));
  expect(text).toBe(raw.textPieces.join(""));
  expect(parts.findIndex(({ type }) => type === "thinking")).toBeLessThan(
    parts.findIndex(({ type }) => type === "text"),
  );
};

/** Fails unless the counts are those of the cassette, thinking apart from output. */
export const checkTokens = ({ reply, raw }: Pick<Fixture, "reply" | "raw">): void => {
  const { input, output, thinking, total } = reply.usage;
  expect({ input, output, thinking, total }).toEqual({ ...raw.usage });
  expect(thinking).toBeGreaterThan(0);
  expect(total).toBe((input ?? 0) + (output ?? 0) + (thinking ?? 0));
};
