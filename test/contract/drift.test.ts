import { emulate } from "@mull/emulator";
import type { Fetch, JsonObject } from "mull";
import { describe, expect, test } from "vitest";

import { describeDrift, findDrift, isNews, type ScenarioDrift } from "./drift.ts";
import { adding } from "./scenarios/adapters.ts";
import { findScenario, scenarios } from "./scenarios/index.ts";

const env = { ANTHROPIC_API_KEY: "a-key-of-some-length" };
const simple = findScenario("anthropic/test_contract_simple_text");
const streamed = findScenario("anthropic/test_contract_streaming_text");

const driftOf = async (
  wanted: Parameters<typeof findDrift>[0],
  live: Fetch,
): Promise<readonly ScenarioDrift[]> => {
  const found: ScenarioDrift[] = [];
  for await (const drift of findDrift(wanted, { env, live })) found.push(drift);
  return found;
};

const emulator = emulate({ seed: "drift" });

const changeMood = (body: JsonObject): JsonObject => ({
  ...body,
  stop_reason: "bored",
  mood: { colour: "blue" },
});

const withWeather: Fetch = async (input, init) => {
  const response = await emulator(input, init);
  const text = await response.text();
  const event = 'event: weather\ndata: {"type":"weather","sky":"clear"}\n\n';
  return new Response(event + text, response);
};

const nobody: Fetch = () => Promise.reject(new Error("somebody was asked"));

describe("drift", () => {
  test("a service that answers as recorded has not drifted", async () => {
    const found = await driftOf([simple, streamed], emulator);
    expect(found.map(({ cassette }) => cassette)).toEqual([simple.cassette, streamed.cassette]);
    expect(found.map(isNews)).toEqual([false, false]);
  });

  test("new fields and new words are reported", async () => {
    const [found] = await driftOf([simple], adding("a mood", changeMood).wrap(emulator));
    expect(describeDrift(found!).split("\n")).toEqual([
      `drifted  ${simple.cassette}`,
      "  + field mood: object",
      "  + field mood.colour: string",
      "  + value stop_reason = bored",
      "  - value stop_reason = end_turn",
    ]);
    expect(isNews(found!)).toBe(true);
  });

  test("new events are reported", async () => {
    const [found] = await driftOf([streamed], withWeather);
    expect(found?.drift.filter(({ sign }) => sign === "+")).toEqual([
      { kind: "events", sign: "+", what: "weather" },
      { kind: "fields", sign: "+", what: "<weather>: object" },
      { kind: "fields", sign: "+", what: "<weather>.type: string" },
      { kind: "fields", sign: "+", what: "<weather>.sky: string" },
      { kind: "values", sign: "+", what: "<weather>.type = weather" },
    ]);
  });

  test("without a key nobody is asked", async () => {
    const found: ScenarioDrift[] = [];
    for await (const drift of findDrift(scenarios, { env: {}, live: nobody })) found.push(drift);
    expect(found).toEqual([]);
  });
});
