import { describe, expect, test } from "vitest";

import type { Model } from "../types/model.ts";
import { vendors } from "../vendors/index.ts";
import { findModel, findVendor } from "./find-model.ts";

const rows: readonly Model[] = vendors.flatMap(({ models }) => models);

const offFormsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["anthropic-messages", ["omit", "disabled", "between_tools", "never"]],
  ["openai-responses", ["effort-none", "never"]],
  ["openai-chat", ["effort-none", "switch", "never"]],
  ["google-generate", ["budget-zero", "never"]],
]);

const isKnown = (successor: string): boolean => {
  const { assumed, status } = findModel(successor);
  return assumed === undefined && (status === "current" || status === "preview");
};

const isSound = ({ thinking }: Model): boolean => {
  if (thinking.kind === "budget") return thinking.min < thinking.max;
  if (thinking.kind !== "effort") return true;
  const hasNone = thinking.efforts.includes("none") === (thinking.off === "effort-none");
  return hasNone && new Set(thinking.efforts).size === thinking.efforts.length;
};

const isReplaced = ({ status }: Model): boolean =>
  ["retired", "never-served", "rerouted", "deprecated"].includes(status);

/** What is wrong with a row, in words. */
const faultsOf = (row: Model): readonly string[] => {
  const { thinking, price, successor } = row;
  const off = thinking.kind === "none" ? "never" : thinking.off;
  const checks: readonly (readonly [string, boolean])[] = [
    ["a known provider", findVendor(row.provider) !== undefined],
    ["an off form of its wire", offFormsOf.get(row.wire)?.includes(off) ?? false],
    ["sound traits", isSound(row)],
    ["nothing to show without thinking", thinking.kind !== "none" || row.shows === "nothing"],
    ["a successor that is served", successor === undefined || isKnown(successor)],
    ["a successor when it is going or gone", successor !== undefined || !isReplaced(row)],
    ["a higher price for long input", price?.long === undefined || price.long.input > price.input],
  ];
  return checks.flatMap(([name, holds]) => (holds ? [] : [name]));
};

describe("every row", () => {
  test.each(rows.map((row) => [`${row.provider}:${row.id}`, row] as const))(
    "%s has what a row needs",
    (_name, row) => {
      expect(faultsOf(row)).toEqual([]);
    },
  );

  test("no id twice within a vendor", () => {
    for (const { models } of vendors) {
      const ids = models.map((model) => model.id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

describe("reader rights", () => {
  test("Claude 5.2 is read by the 5.2 pair only", () => {
    const readers = rows.filter((row) => row.seals?.reads.includes("claude-fable-5-2"));
    expect(readers.map((row) => row.id).toSorted()).toEqual([
      "claude-fable-5-2",
      "claude-mythos-5-2",
    ]);
  });

  test("Haiku 5.5 reads only its own, and binds it to account and prefix", () => {
    expect(findModel("claude-haiku-5-5").seals).toEqual({
      reads: [],
      prefixBound: "newer-accounts",
      accountBound: true,
    });
  });

  test("Gemini reads its family at one backend, OpenAI its own model at one account", () => {
    expect(findModel("gemini-3.8-flash").seals).toEqual({
      reads: ["gemini-*", "gemma-*"],
      endpointBound: true,
    });
    expect(findModel("gpt-6-sol").seals).toEqual({
      reads: [],
      accountBound: true,
      endpointBound: true,
    });
  });
});
