import { findModel, levels } from "mull";
import { describe, expect, it } from "vitest";
import { groupModels, modelOf } from "./list-models.ts";
import { listStops, writePlanLine, type Outlook } from "./stops.ts";
import { turnDial } from "./turn-dial.ts";

const calm: Outlook = {
  withheld: new Map(),
  cachedTokens: 0,
  isOtherModel: false,
  isCutOff: false,
};

describe("the dial", () => {
  it("has seven stops; those a model lacks say where they lead", () => {
    const stops = listStops(findModel("claude-opus-5-5"));
    expect(stops.map(({ level }) => level)).toEqual([...levels]);
    expect(stops.find(({ level }) => level === "none")).toEqual({
      level: "none",
      isHonoured: false,
      leads: "none → low",
    });
  });

  it("stops at its ends", () => {
    expect(turnDial(levels, "max", 1)).toBe("max");
    expect(turnDial(levels, "auto", -1)).toBe("auto");
    expect(turnDial(levels, "med", -1)).toBe("low");
  });

  it("writes what will be sent, with a warning where it is not what was asked", () => {
    const asked = writePlanLine(findModel("claude-opus-5-5"), "med", calm);
    expect(asked).toEqual({
      sends: "sends effort medium · summary · answer 8,192 tokens",
      warnings: [],
      notes: [],
    });
    expect(writePlanLine(findModel("claude-opus-5-5"), "none", calm).warnings).toHaveLength(1);
  });

  it("says what a switch costs, withholds and turns off", () => {
    const line = writePlanLine(findModel("claude-sonnet-4-5"), "med", {
      withheld: new Map([["gpt-6-sol", 2]]),
      cachedTokens: 84_210,
      isOtherModel: true,
      isCutOff: true,
    });
    expect(line.warnings[0]).toContain("thinking is off until the turn ends");
    expect(line.notes).toContain(
      "2 sealed thoughts of gpt-6-sol stay here, withheld until you go back.",
    );
    expect(line.notes.at(-1)).toMatch(
      /^Next message re-reads 84,210 cached tokens, about \$0\.\d\d\.$/,
    );
  });
});

describe("the model menu", () => {
  const offered = [
    { ref: "anthropic:claude-opus-5-5", isSimulated: true },
    { ref: "openai:gpt-6-sol", isSimulated: false },
    { ref: "anthropic:claude-3-7-sonnet-20250219", isSimulated: true },
  ];

  it("groups by vendor and finds by any words", () => {
    expect(groupModels(offered, "").map(({ vendor }) => vendor)).toEqual(["Anthropic", "OpenAI"]);
    expect(
      groupModels(offered, "open SOL").flatMap(({ rows }) => rows.map(({ ref }) => ref)),
    ).toEqual(["openai:gpt-6-sol"]);
    expect(groupModels(offered, "nothing")).toEqual([]);
  });

  it("says what is simulated, retired, and what it costs", () => {
    const rows = groupModels(offered, "claude").flatMap((group) => group.rows);
    expect(groupModels(offered, "").map(({ remark }) => remark)).toEqual(["simulated", undefined]);
    expect(rows[1]?.isUsable).toBe(false);
    expect(rows[1]?.facts.join()).toMatch(/retired, use /);
    expect(modelOf("openai:gpt-6-sol").provider).toBe("openai");
  });
});
