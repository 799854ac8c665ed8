import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/runs.ts";

import { findModel } from "../catalogue/find-model.ts";
import { vendors } from "../vendors/index.ts";
import { isMullError } from "../types/error.ts";
import { levels } from "../types/level.ts";
import { type LevelValue, type Model, efforts, googleLevels } from "../types/model.ts";
import type { ThinkingPlan, ThinkingSetting } from "../types/plan.ts";
import { mapLevel, type PlanAsk, planThinking } from "./plan.ts";

const hosted = [
  ["openrouter", "anthropic/claude-opus-5-5"],
  ["openrouter", "google/gemini-2.5-flash-lite"],
  ["openai-chat", "gpt-6-sol"],
  ["ollama", "qwen3:8b"],
  ["ollama", "gpt-oss:120b"],
  ["vllm", "Qwen/Qwen3-8B"],
  ["together", "deepseek-ai/DeepSeek-V3.1"],
] as const;
const rows: readonly Model[] = [
  ...vendors.flatMap(({ models }) => models),
  ...hosted.map(([provider, id]) => findModel(id, { provider })),
  ...["claude-next-9", "gpt-9", "o9", "gemini-9", "grok-9"].map((id) => findModel(id)),
];
const named = rows.map((row) => [`${row.provider}:${row.id}`, row] as const);
const dial = levels.slice(1);
const fallsBack = (row: Model): boolean => row.id === "o1" || row.id === "o3-mini";

const rankOfValue = (value: LevelValue): number => {
  if (value.kind === "budget") return value.tokens;
  if (value.kind === "effort") return efforts.indexOf(value.effort);
  if (value.kind === "level") return googleLevels.indexOf(value.level);
  return value.kind === "switch" && value.on ? 1 : 0;
};

const rankOfSetting = (setting: ThinkingSetting): number => {
  if (setting.type === "budget") return setting.tokens;
  if (setting.type === "effort") return efforts.indexOf(setting.effort);
  if (setting.type === "level") return googleLevels.indexOf(setting.level);
  return setting.type === "on" ? 1 : 0;
};

const isRising = (ranks: readonly number[]): boolean =>
  ranks.every((rank, i) => i === 0 || rank >= (ranks[i - 1] ?? 0));

describe.each(named)("%s", (_name, row) => {
  const from = fallsBack(row) ? dial.slice(1) : dial;

  test("R12 raising the level never lowers the mapped value", () => {
    expect(isRising(from.map((level) => rankOfValue(mapLevel(row, level))))).toBe(true);
  });

  test("R12 raising the level never lowers what is sent, whatever the cap", () => {
    for (const cap of [undefined, 1, 1000, 8192, 31_000, 63_000, 65_400, 127_500, 2_000_000]) {
      const ask = { model: row, ...(cap !== undefined && { maxOutputTokens: cap }) };
      const sent = from.map((level) => planThinking({ ...ask, level }).setting);
      expect(isRising(sent.map(rankOfSetting))).toBe(true);
    }
  });
});

const numbersOf = (plan: ThinkingPlan): readonly number[] =>
  [plan.maxOutputTokens, plan.answerRoom, plan.thinkingRoom].filter((each) => each !== undefined);

/** What the service would refuse, or the user would miss, in words. */
const violationsOf = (
  row: Model,
  plan: ThinkingPlan,
  cap: number | undefined,
): readonly string[] => {
  const { setting, maxOutputTokens = Number.MAX_SAFE_INTEGER, answerRoom } = plan;
  const { thinking } = row;
  const isNoted = plan.notes.some((note) => note.code === "answer-room-shrunk");
  const tokens = setting.type === "budget" ? setting.tokens : undefined;
  const range = thinking.kind === "budget" ? thinking : undefined;
  const least = range?.leastOn ?? range?.min ?? 0;
  const offered = thinking.kind === "effort" ? thinking.efforts : [];
  const steps = thinking.kind === "level" ? thinking.levels : [];
  const checks: readonly (readonly [string, boolean])[] = [
    ["whole numbers", numbersOf(plan).every((each) => Number.isSafeInteger(each) && each >= 0)],
    ["notes with words", plan.notes.every((note) => note.code !== "" && note.message !== "")],
    ["a cap within the model's", numbersOf(plan).every((each) => each <= (row.outputCap ?? each))],
    ["the answer's room", cap === undefined || answerRoom === cap || isNoted],
    ["a budget below the cap", tokens === undefined || tokens < maxOutputTokens],
    [
      "a budget within the range",
      tokens === undefined || (tokens >= least && tokens <= (range?.max ?? tokens)),
    ],
    ["an offered effort", setting.type !== "effort" || offered.includes(setting.effort)],
    ["an offered level", setting.type !== "level" || steps.includes(setting.level)],
  ];
  return checks.flatMap(([name, holds]) => (holds ? [] : [name]));
};

const keptOrRefused = (ask: PlanAsk): boolean => {
  try {
    const { setting } = planThinking(ask);
    return setting.type !== "budget" || setting.tokens === ask.thinkingBudget;
  } catch (error) {
    return isMullError(error) && error.category === "invalid_argument";
  }
};

describe("plans of every row", () => {
  test("D6 keep the answer's room, the budget below the cap, the floor, and send what is offered", () => {
    const caps = fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.constantFrom(...rows),
        fc.constantFrom(...levels),
        caps,
        fc.nat(400_000),
        fc.boolean(),
        (row, level, cap, contextTokens, hasTools) => {
          const ask = { model: row, level, contextTokens, hasTools };
          const plan = planThinking({ ...ask, ...(cap !== undefined && { maxOutputTokens: cap }) });
          expect(violationsOf(row, plan, cap)).toEqual([]);
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  test("explicit budgets are kept as asked or refused with a MullError", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rows),
        fc.integer({ min: -10, max: 200_000 }),
        fc.integer({ min: 1, max: 140_000 }),
        (row, thinkingBudget, maxOutputTokens) => {
          const kept = keptOrRefused({ model: row, thinkingBudget, maxOutputTokens });
          expect(kept).toBe(true);
        },
      ),
      { numRuns: runs(3000) },
    );
  });
});
