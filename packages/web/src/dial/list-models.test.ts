import { providers } from "mull";
import { describe, expect, it } from "vitest";
import { groupModels, menuGroups, shortName, isAllSimulated } from "./list-models.ts";

const offered = providers.flatMap(({ id, models }) =>
  models.map((model) => ({ ref: `${id}:${model.id}`, isSimulated: true })),
);

describe("models to choose from", () => {
  it("R252: no two have the same name", () => {
    const names = offered.map(({ ref }) => shortName(ref));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("gpt-6-sol");
    expect(names).toContain("openai-chat:gpt-6-sol");
  });

  it("R252: are found by every word that is typed, of vendor and name", () => {
    const found = groupModels(offered, "OpenAI sol chat");
    expect(found.map(({ vendor }) => vendor)).toEqual(["OpenAI"]);
    expect(found[0]?.rows.every(({ ref }) => /chat.*sol/.test(ref))).toBe(true);
    expect(groupModels(offered, "no such model")).toEqual([]);
  });

  it("R252: say who has no key, once other vendors have one", () => {
    const some = offered.map((each) => ({
      ...each,
      isSimulated: false,
      lacksKey: !each.ref.startsWith("anthropic:"),
    }));
    const groups = groupModels(some, "");
    expect(groups.find(({ vendor }) => vendor === "Anthropic")?.remark).toBeUndefined();
    const openai = groups.find(({ vendor }) => vendor === "OpenAI");
    expect(openai?.remark).toBe("no key");
    expect(openai?.rows.some(({ isUsable }) => isUsable)).toBe(false);
    expect(groupModels(offered, "")[0]?.remark).toBeUndefined();
    const mixed = offered.map((each) => ({ ...each, isSimulated: !each.ref.startsWith("xai:") }));
    expect(groupModels(mixed, "")[0]?.remark).toBe("simulated");
  });

  it("a page asks for a key only while nothing on it is real", () => {
    expect(isAllSimulated(offered)).toBe(true);
    const one = offered.map((each) => ({ ...each, isSimulated: !each.ref.startsWith("xai:") }));
    expect(isAllSimulated(one)).toBe(false);
    expect(isAllSimulated([])).toBe(false);
  });

  it("recent ones come first, then recommended ones, and never one that cannot be asked", () => {
    const some = offered.map((each) => ({
      ...each,
      lacksKey: each.ref.startsWith("google:"),
    }));
    const first = {
      recent: ["openai:gpt-6-sol", "openai:gpt-6-sol", "google:gemini-3.8-flash", "gone:model"],
      recommended: ["anthropic:claude-opus-5-5", "openai:gpt-6-sol"],
    };
    const [recent, recommended, ...vendors] = menuGroups(some, "", first);
    expect([recent?.vendor, recent?.rows.map(({ ref }) => ref)]).toEqual([
      "Recent",
      ["openai:gpt-6-sol"],
    ]);
    expect([recommended?.vendor, recommended?.rows.map(({ ref }) => ref)]).toEqual([
      "Recommended",
      ["anthropic:claude-opus-5-5"],
    ]);
    expect(vendors).toEqual(groupModels(some, ""));
    expect(menuGroups(some, "sol", first)).toEqual(groupModels(some, "sol"));
    expect(menuGroups(some, "", { recent: [], recommended: [] })).toEqual(vendors);
  });
});
