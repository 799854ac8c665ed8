import { describe, expect, test } from "vitest";

import type { Model } from "../types/model.ts";
import { findModel } from "./find-model.ts";

const rowOf = (id: string): string => {
  const model = findModel(id);
  return model.row ?? model.id;
};

describe("lookup by name", () => {
  test.each([
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["claude-opus-4-5@20251101", "claude-opus-4-5"],
    ["anthropic.claude-opus-5-5", "claude-opus-5-5"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["claude-opus-4-20250514", "claude-opus-4"],
    ["claude-3-7-sonnet-20250219", "claude-3-7-sonnet"],
    ["claude-3-7-sonnet-latest", "claude-3-7-sonnet"],
    ["gpt-5-2025-08-07", "gpt-5"],
    ["gpt-5-mini-2025-08-07", "gpt-5-mini"],
    ["openai/gpt-5.1-codex-max", "gpt-5.1-codex-max"],
    ["ft:gpt-4o-mini:org::id", "gpt-4o-mini"],
    ["models/gemini-3.8-flash", "gemini-3.8-flash"],
    ["publishers/google/models/gemini-2.5-pro", "gemini-2.5-pro"],
    ["gemini-2.5-flash-preview-05-20", "gemini-2.5-flash"],
    ["gemini-2.5-flash-001", "gemini-2.5-flash"],
  ])("R27 %s uses the row %s", (id, row) => {
    expect(rowOf(id)).toBe(row);
    expect(findModel(id).assumed).toBeUndefined();
  });

  test.each([
    ["gemini-2.5-flash-lite", "gemini-2.5-flash-lite"],
    ["gemini-2.5-flash-lite-preview-09-2025", "gemini-2.5-flash-lite"],
    ["gemini-3.5-flash-lite", "gemini-3.5-flash-lite"],
    ["o3-mini-2025-01-31", "o3-mini"],
    ["claude-sonnet-5-5", "claude-sonnet-5-5"],
  ])("R49 %s never falls to a shorter row", (id, row) => {
    expect(rowOf(id)).toBe(row);
  });

  test.each(["claude-opus-5-7", "gpt-5.9", "gemini-3.9-flash", "o5", "gpt-7"])(
    "D4 %s is another version, not a form of a listed one",
    (id) => {
      expect(findModel(id)).toMatchObject({ id, assumed: true });
    },
  );

  test("D4 a name inside another name does not match", () => {
    expect(findModel("my-claude-opus-5-5")).toMatchObject({
      provider: "unknown",
      thinking: { kind: "none" },
      assumed: true,
    });
  });

  test("D23 the id asked for stays the id", () => {
    expect(findModel("claude-sonnet-4-5-20250929").id).toBe("claude-sonnet-4-5-20250929");
    expect(findModel("models/gemini-3.8-flash").id).toBe("gemini-3.8-flash");
    expect(findModel("gpt-6-sol")).toBe(findModel("gpt-6-sol"));
  });
});

describe("names without a row", () => {
  test("R28 D4 an unlisted Claude follows the newest rules, not the 4.5 budgets", () => {
    expect(findModel("claude-saga-6")).toMatchObject({
      provider: "anthropic",
      thinking: { kind: "effort", off: "never" },
      sampling: "fixed",
      assumed: true,
    });
  });

  test("D4 an unlisted Gemini has levels without MINIMAL", () => {
    expect(findModel("gemini-5-neon").thinking).toEqual({
      kind: "level",
      levels: ["LOW", "MEDIUM", "HIGH"],
      off: "never",
    });
  });

  test("D4 unlisted OpenAI ids follow their generation", () => {
    expect(findModel("gpt-7-vega").thinking).toMatchObject({ kind: "effort", off: "never" });
    expect(findModel("gpt-nova").thinking).toMatchObject({ kind: "effort", off: "never" });
    expect(findModel("gpt-5.9").thinking).toMatchObject({ efforts: ["low", "medium", "high"] });
    expect(findModel("o9-mini").thinking).toMatchObject({ efforts: ["low", "medium", "high"] });
    expect(findModel("gpt-4.5-preview").thinking).toEqual({ kind: "none" });
  });

  test("D4 an unknown family does not think, and says so", () => {
    const model = findModel("wordbox-1", { provider: "acme" });
    expect(model).toMatchObject({ provider: "acme", thinking: { kind: "none" }, assumed: true });
    expect(model.note).toContain("wordbox-1");
  });
});

describe("rows of one's own", () => {
  const own: Model = { ...findModel("gpt-4o"), id: "claude-opus-5-5", provider: "acme" };

  test("win over the catalogue, by id and by prefix", () => {
    expect(findModel("claude-opus-5-5", { models: [own] }).provider).toBe("acme");
    expect(findModel("claude-opus-5-5-tuned", { models: [own] }).provider).toBe("acme");
    expect(findModel("claude-opus-5", { models: [own] }).provider).toBe("anthropic");
  });
});
