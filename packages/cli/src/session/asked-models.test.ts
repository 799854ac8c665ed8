import { describe, expect, test } from "vitest";

import { mull } from "../testing/fake-io.ts";

const read = async (argv: readonly string[]) => JSON.parse((await mull([...argv, "--json"])).out);

describe("plan, map and sweep take models the same way", () => {
  const named = ["-m", "gpt-6-sol,claude-opus-5-5/max", "--models", "gemini-3.8-flash"];
  const models = ["gpt-6-sol", "claude-opus-5-5", "gemini-3.8-flash"];

  test("in --models, in lists and one by one, with levels or without", async () => {
    const planned: readonly { ref: string }[] = await read(["plan", ...named]);
    expect(planned.map(({ ref }) => ref)).toEqual([
      ...["auto", "none", "min", "low", "med", "high", "max"].map((level) => `gpt-6-sol/${level}`),
      "claude-opus-5-5/max",
      ...["auto", "none", "min", "low", "med", "high", "max"].map(
        (level) => `gemini-3.8-flash/${level}`,
      ),
    ]);
    const mapped: readonly { model: string; map: object }[] = await read(["map", ...named]);
    expect(mapped.map(({ model }) => model)).toEqual(models);
    expect(mapped[1]?.map).toEqual({ max: { kind: "effort", effort: "max" } });
    const swept: readonly { model: string; level: string }[] = await read([
      "sweep",
      "hi",
      ...named,
    ]);
    expect(swept.filter(({ model }) => model === "claude-opus-5-5")).toMatchObject([
      { level: "max" },
    ]);
    expect(new Set(swept.map(({ model }) => model))).toEqual(new Set(models));
  });

  test("--levels is about those without one of their own", async () => {
    const argv = ["-m", "gpt-6-sol", "-l", "none,high"];
    const planned: readonly { ref: string }[] = await read(["plan", ...argv]);
    expect(planned.map(({ ref }) => ref)).toEqual(["gpt-6-sol/none", "gpt-6-sol/high"]);
    const [mapped] = await read(["map", ...argv]);
    expect(Object.keys(mapped.map)).toEqual(["none", "high"]);
    const swept: readonly { level: string }[] = await read(["sweep", "hi", ...argv]);
    expect(swept.map(({ level }) => level)).toEqual(["none", "high"]);
  });

  test("without one: the model that would answer", async () => {
    const [planned] = await read(["plan", "-l", "med"]);
    expect(planned.ref).toBe("claude-opus-5-5/med");
    const env = { MULL_MODEL: "gpt-6-sol" };
    const { out } = await mull(["map", "--json"], { env });
    expect(JSON.parse(out)).toMatchObject([{ model: "gpt-6-sol" }]);
  });
});

test("map says what plan sends, also at none", async () => {
  const models = ["gpt-5", "claude-haiku-4-5", "claude-opus-5-5", "gpt-6-sol", "o3-mini", "glm-5"];
  const mapped: readonly { map: { none: object } }[] = await read(["map", ...models]);
  expect(mapped.map(({ map }) => map.none)).toEqual([
    { kind: "effort", effort: "minimal" },
    { kind: "switch", on: false },
    { kind: "effort", effort: "low" },
    { kind: "switch", on: false },
    { kind: "effort", effort: "medium" },
    { kind: "switch", on: false },
  ]);
  const planned: readonly { map: { none: object } }[] = await read(["plan", "gpt-5/none"]);
  expect(planned[0]?.map.none).toEqual(mapped[0]?.map.none);
});
