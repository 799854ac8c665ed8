import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { emulate } from "@mull/emulator";
import { isVcrError, play, readCassette, scanForSecrets } from "@mull/vcr";
import { afterAll, describe, expect, test, vi } from "vitest";

import { makeProvider } from "./ask.ts";
import { readManifest, recordScenario } from "./manifest.ts";
import { chooseTake, fixtureDirectory, forbiddenWords } from "./recording.ts";
import { findScenario, scenarios } from "./scenarios/index.ts";
import { fixtureLevels, thinkingCassette } from "./scenarios/thinking.ts";

const vendors = ["anthropic", "openai", "google"] as const;
const fileOf = (cassette: string): string => join(fixtureDirectory, `${cassette}.jsonl`);
const manifest = readManifest();
const scratch = mkdtempSync(join(tmpdir(), "mull-cassettes-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** By requirement: the cassettes the documents name. */
const named: readonly (readonly [first: number, names: readonly string[]])[] = [
  [280, ["none", "low", "med", "high", "streaming"].map((kind) => `anthropic/thinking_${kind}`)],
  [285, ["low", "med", "high", "streaming"].map((kind) => `openai/reasoning_${kind}`)],
  [289, ["low", "med", "high", "streaming"].map((kind) => `google/thinking_${kind}`)],
  [
    293,
    [
      "simple_text",
      "tool_call",
      "tool_call_id_generation",
      "thinking_config",
      "thinking_response",
      "streaming_text",
      "streaming_thinking",
      "streaming_tool_call",
      "error_auth",
      "error_rate_limit",
      "error_invalid_request",
      "multi_turn",
      "token_usage",
      "grounding",
    ].map((name) => `google/test_contract_${name}`),
  ],
];
const namedCassettes = named.flatMap(([first, names]) =>
  names.map((name, index) => [`R${first + index}`, name] as const),
);

const replay = async (cassette: string): Promise<void> => {
  const fetch = play(fileOf(cassette));
  const model = manifest.cassettes.find((entry) => entry.cassette === cassette)?.model;
  await findScenario(cassette).run(makeProvider(model ?? "", fetch));
  await fetch.done();
};

describe("R280 to R306 cassettes", () => {
  test.each(namedCassettes)(
    "%s R268 R384 %s exists and replays without a network",
    async (_, name) => {
      const network = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network here"));
      await expect(replay(name)).resolves.toBeUndefined();
      expect(network).not.toHaveBeenCalled();
      network.mockRestore();
    },
  );

  test("D20 the two for no thinking exist and replay", async () => {
    await expect(replay("openai/reasoning_none")).resolves.toBeUndefined();
    await expect(replay("google/thinking_none")).resolves.toBeUndefined();
  });

  test("R274 R334 every scenario has a cassette of its own, and every cassette replays", async () => {
    const network = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network here"));
    for (const { cassette } of scenarios) await replay(cassette);
    expect(network).not.toHaveBeenCalled();
    network.mockRestore();
    const files = vendors.flatMap((vendor) =>
      readdirSync(join(fixtureDirectory, vendor)).map((name) => `${vendor}/${name}`),
    );
    expect(files.toSorted()).toEqual(
      scenarios.map(({ cassette }) => `${cassette}.jsonl`).toSorted(),
    );
  });

  test("R273 contract cassettes are named for their scenario", () => {
    const names = scenarios.map(({ cassette }) => cassette.split("/")[1] ?? "");
    expect(
      names.filter((name) => !/^(?:test_contract_|thinking_|reasoning_)\w+$/.test(name)),
    ).toEqual([]);
  });

  test("R278 R279 R357 five thinking fixtures a provider: four levels and a stream", () => {
    const wanted = vendors.flatMap((vendor) =>
      [...fixtureLevels, "streaming" as const].map((kind) => thinkingCassette(vendor, kind)),
    );
    expect(wanted).toHaveLength(15);
    for (const cassette of wanted) expect(readCassette(fileOf(cassette)).exchanges).toHaveLength(1);
  });

  test("R272 every line of every cassette is JSON", () => {
    for (const { cassette } of scenarios) {
      const lines = readFileSync(fileOf(cassette), "utf8").trimEnd().split("\n");
      for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
  });

  test("R271 R276 R277 R380 no fixture holds a key, or a word that names one", async () => {
    expect(await scanForSecrets([fixtureDirectory])).toEqual([]);
    const found = scenarios.flatMap(({ cassette }) => {
      const text = readFileSync(fileOf(cassette), "utf8").toLowerCase();
      const words = forbiddenWords.filter((word) => text.includes(word.toLowerCase()));
      return words.map((word) => `${cassette}: ${word}`);
    });
    expect(found).toEqual([]);
  });

  test("R270 a request that differs is refused, field by field", async () => {
    const fetch = play(fileOf("google/test_contract_simple_text"));
    const other = { ...findScenario("google/test_contract_multi_turn") };
    const failure = await other
      .run(makeProvider("gemini-3.0-flash", fetch))
      .catch((error: unknown) => error);
    expect(isVcrError(failure) && failure.differences.map(({ field }) => field)).toContain(
      "body.contents[1]",
    );
  });
});

describe("manifest", () => {
  test("D20 tells of every cassette whether it was simulated, and the cassette agrees", () => {
    expect(manifest.cassettes.map(({ cassette }) => cassette)).toEqual(
      scenarios.map(({ cassette }) => cassette),
    );
    const wrong = manifest.cassettes.filter(({ cassette, source }) =>
      readCassette(fileOf(cassette)).exchanges.some(
        ({ response }) =>
          "x-mull-simulated" in (response?.headers ?? {}) !== (source === "emulator"),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("D20 says what is not the emulator's own and what cannot be had live", () => {
    const entryOf = (cassette: string) =>
      manifest.cassettes.find((entry) => entry.cassette === cassette);
    expect(entryOf("google/test_contract_streaming_ndjson")).toMatchObject({
      adapted: expect.stringContaining("newline-delimited"),
      emulatedOnly: expect.stringContaining("does not offer"),
    });
    expect(manifest.command).toBe("npm run record");
  });
});

describe("recording", () => {
  test("R269 without keys the emulator is recorded, and twice gives the same bytes", async () => {
    const scenario = findScenario("anthropic/test_contract_tool_loop");
    const bytes: string[] = [];
    for (const run of ["one", "two"]) {
      const directory = join(scratch, run);
      const entry = await recordScenario(scenario, {}, directory);
      expect(entry).toMatchObject({ source: "emulator", model: "claude-sonnet-4-5" });
      bytes.push(readFileSync(join(directory, `${scenario.cassette}.jsonl`), "utf8"));
    }
    expect(bytes[0]).toBe(bytes[1]);
  });

  test("R269 R275 with a key the service itself is asked, with a model it serves", () => {
    const scenario = findScenario("google/test_contract_simple_text");
    const env = { GOOGLE_API_KEY: "a-key-of-some-length" };
    const take = chooseTake(scenario, env);
    expect(take).toMatchObject({ source: "live", apiKey: env.GOOGLE_API_KEY });
    expect(take.model).toBe("gemini-3.8-flash");
  });

  test("R269 what no service gives on order stays emulated", () => {
    const env = { GOOGLE_API_KEY: "a-key-of-some-length" };
    const take = chooseTake(findScenario("google/test_contract_error_rate_limit"), env);
    expect(take.source).toBe("emulator");
  });

  test("R269 an answer that is a refusal nobody meant is not kept", async () => {
    const scenario = findScenario("anthropic/test_contract_simple_text");
    const busy = emulate({ faults: "status=529" });
    const env = { ANTHROPIC_API_KEY: "a-key-of-some-length" };
    const directory = join(scratch, "busy");
    await expect(recordScenario(scenario, env, directory, busy)).rejects.toMatchObject({
      category: "overloaded",
    });
    expect(readdirSync(join(directory, "anthropic"))).toEqual([]);
  });

  test("R271 F-V1 a key in the environment never reaches the cassette", async () => {
    const key = ["sk-", "ant-", "api03-", "x".repeat(24)].join("");
    const scenario = findScenario("anthropic/test_contract_simple_text");
    const emulator = chooseTake(scenario, {}).fetch;
    const env = { ANTHROPIC_API_KEY: key };
    const entry = await recordScenario(scenario, env, join(scratch, "keyed"), emulator);
    expect(entry.source).toBe("live");
    const file = join(scratch, "keyed", `${scenario.cassette}.jsonl`);
    expect(readFileSync(file, "utf8")).not.toContain(key);
    expect(await scanForSecrets([file], { secrets: [key] })).toEqual([]);
  });
});
