import {
  compose,
  describePlan,
  describeRoom,
  levels,
  type ChatTarget,
  type Level,
  type LevelValue,
  type ThinkingPlan,
} from "mull";
import { thinkingFieldsOf, usualModel } from "mull/wire";

import { loadKeys } from "../config/keys.ts";
import { loadSettings } from "../config/settings.ts";
import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import type { Io } from "../frame/io.ts";
import { readCount } from "../frame/read-count.ts";
import { askedModels, type NamedModel } from "../session/asked-models.ts";
import { sentAt } from "../session/sent-at.ts";

export const run: RunCommand = async (given, io) => {
  const views = (await readAsked(given, io)).flatMap(({ target, levels: asked }) =>
    asked.map((level) => viewPlan(target, level, given)),
  );
  if (given.has("json")) await io.out(`${JSON.stringify(views)}\n`);
  else await io.out(views.map(describeView).join("\n"));
  return exitCodes.done;
};

export interface PlanView {
  readonly ref: string;
  readonly map: Readonly<Record<string, LevelValue>>;
  readonly plan: ThinkingPlan;
  readonly sent: object;
  readonly feedback: readonly string[];
}

/** Models that stand among the words or in --models; every level of those without one. */
export async function readAsked(given: Given, io: Io): Promise<readonly NamedModel[]> {
  const { model } = await loadSettings(given, io);
  const usual = model ?? usualModel(loadKeys(io));
  return askedModels({ given, words: given.words, usual, usualLevels: levels });
}

function viewPlan(target: ChatTarget, level: Level, given: Given): PlanView {
  const room = readCount("--max-output", given.text("max-output"), 1);
  const budget = readCount("--thinking-budget", given.text("thinking-budget"));
  const { plan, encoded } = compose(target, {
    level,
    messages: [{ role: "user", parts: [{ type: "text", text: "…" }] }],
    ...(room !== undefined && { maxOutputTokens: room }),
    ...(budget !== undefined && { thinkingBudget: budget }),
  });
  return {
    ref: `${target.model.id}/${level}`,
    map: sentAt(target, levels),
    plan,
    sent: thinkingFieldsOf(encoded.body),
    feedback: describePlan(plan),
  };
}

function describeView({ ref, plan, sent }: PlanView): string {
  const { applied, asked, visible, visibleReason } = plan;
  const changed = applied === asked ? "" : ` → ${applied}`;
  return [
    `${ref}${changed}  (${plan.provider}, ${plan.wire})`,
    ...describePlan(plan).slice(1),
    `  sends    ${JSON.stringify(sent)}`,
    `  room     ${describeRoom(plan)}`,
    `  shows    ${visible}${visibleReason === undefined ? "" : `: ${visibleReason}`}`,
    ...plan.notes.map(
      ({ severity, message }) => `  ${severity === "warning" ? "⚠" : "note"}  ${message}`,
    ),
    "",
  ].join("\n");
}
