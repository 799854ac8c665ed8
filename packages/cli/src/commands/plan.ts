import {
  compose,
  describePlan,
  describeRoom,
  levels,
  type ChatTarget,
  type Level,
  type LevelValue,
  type ThinkingPlan,
  mapLevel,
} from "mull";
import { thinkingFieldsOf } from "mull/wire";

import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { readCount } from "../frame/read-count.ts";
import { UsageError } from "../frame/usage-error.ts";
import { resolveRef } from "../session/resolve.ts";

export const run: RunCommand = async (given, io) => {
  if (given.words.length === 0) throw new UsageError("Which model? mull plan MODEL[/LEVEL]…");
  const views = given.words.flatMap((ref) => viewsOf(ref, given));
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

/** One view for a ref with a level; all levels of a model that was named without one. */
function viewsOf(ref: string, given: Given): readonly PlanView[] {
  const target = resolveRef(ref);
  const asked: readonly Level[] = target.level === undefined ? levels : [target.level];
  return asked.map((level) => viewPlan(target, level, given));
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
    map: Object.fromEntries(levels.map((step) => [step, mapLevel(target.model, step)])),
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
