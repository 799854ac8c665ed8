import { providers } from "mull";
import { expect, test } from "vitest";

import { mull } from "../testing/fake-io.ts";

const thinking = new Set(
  providers.flatMap(({ models }) =>
    models.filter((model) => model.thinking.kind !== "none").map(({ id }) => id),
  ),
);

test("A1 promise 1: every handoff between any two models that think is valid", async () => {
  const { code, out } = await mull(["matrix"]);
  const total = thinking.size * (thinking.size - 1) * 4;
  expect(out.trimEnd().split("\n").at(-1)).toBe(
    `${total} of ${total} handoffs between ${thinking.size} models are valid`,
  );
  expect(code).toBe(0);
}, 180_000);

test("a few vendors in JSON: rows and failures for programs", async () => {
  const { out } = await mull(["matrix", "--filter", "gpt-6-sol,claude-opus-5-5", "--json"]);
  const report = JSON.parse(out);
  expect(report).toMatchObject({ passed: report.total, failures: [] });
  expect(report.rows).toHaveLength(report.models);
});
