import { expect, test } from "vitest";

import { handoffKinds, thinkingModels } from "../handoff/handoff-matrix.ts";
import { mull } from "../testing/fake-io.ts";

test("P-A1 promise 1: every handoff between any two models that think is valid", async () => {
  const { code, out } = await mull(["matrix"]);
  const lines = out.trimEnd().split("\n");
  const served = new Set(thinkingModels().map((ref) => ref.slice(ref.indexOf(":") + 1)));
  const models = served.size - lines.filter((line) => line.startsWith("left out: ")).length;
  const total = models * (models - 1) * handoffKinds.length;
  expect(models).toBeGreaterThan(100);
  expect(lines.at(-1)).toBe(`${total} of ${total} handoffs between ${models} models are valid`);
  expect(code).toBe(0);
}, 180_000);

test("a few vendors in JSON: rows and failures for programs", async () => {
  const { out } = await mull(["matrix", "--filter", "gpt-6-sol,claude-opus-5-5", "--json"]);
  const report = JSON.parse(out);
  expect(report).toMatchObject({ passed: report.total, failures: [] });
  expect(report.rows).toHaveLength(report.models);
});
