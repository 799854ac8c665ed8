import {
  compose,
  countTokens,
  describePlan,
  describeRoom,
  findProvider,
  levels,
  type ChatRequest,
  type ChatTarget,
  type Level,
  type LevelValue,
  type ThinkingPlan,
  type TokenCount,
} from "mull";
import { thinkingFieldsOf, usualModel } from "mull/wire";

import { loadKeys } from "../config/keys.ts";
import { loadSettings } from "../config/settings.ts";
import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { print } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { readCount } from "../frame/read-count.ts";
import { askedModels, type NamedModel } from "../session/asked-models.ts";
import { chooseBackend } from "../session/backend.ts";
import { describeCount } from "../session/describe-count.ts";
import { sentAt } from "../session/sent-at.ts";

export const run: RunCommand = async (given, io) => {
  const views: PlanView[] = [];
  for (const { target, levels: asked } of await readAsked(given, io))
    for (const level of asked) {
      const input = await countAt({ ...target, level }, given, io);
      views.push({ ...viewPlan(target, level, given), input });
    }
  if (given.has("json")) await io.out(`${JSON.stringify(views)}\n`);
  else await print(io, views.map(describeView).join("\n"));
  return exitCodes.done;
};

export interface PlanView {
  readonly ref: string;
  readonly map: Readonly<Record<string, LevelValue>>;
  readonly plan: ThinkingPlan;
  readonly sent: object;
  readonly feedback: readonly string[];
  /** The tokens of the question of `--count`, and who counted them. */
  readonly input: TokenCount | null;
}

/** Models among the words or in --models, with every level if none is given. */
export async function readAsked(given: Given, io: Io): Promise<readonly NamedModel[]> {
  const { model } = await loadSettings(given, io);
  const usual = model ?? usualModel(loadKeys(io));
  return askedModels({ given, words: given.words, usual, usualLevels: levels });
}

/** The only request that a plan sends, and only with `--count`. */
async function countAt(
  target: ChatTarget & { readonly level: Level },
  given: Given,
  io: Io,
): Promise<TokenCount | null> {
  const text = given.text("count");
  if (text === undefined) return null;
  const { system } = await loadSettings(given, io);
  const ref = `${target.provider.id}:${target.model.id}`;
  const { options } = await chooseBackend({ model: ref, level: target.level, env: loadKeys(io) });
  const request: ChatRequest = {
    messages: [{ role: "user", parts: [{ type: "text", text }] }],
    system,
  };
  return countTokens(target, request, { ...options, signal: io.signal });
}

function viewPlan(target: ChatTarget, level: Level, given: Given): Omit<PlanView, "input"> {
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

function describeView({ ref, plan, sent, input }: PlanView): string {
  const { applied, asked, visible, visibleReason } = plan;
  const changed = applied === asked ? "" : ` → ${applied}`;
  return [
    `${ref}${changed}  (${plan.provider}, ${plan.wire})`,
    ...describePlan(plan).slice(1),
    `  sends    ${JSON.stringify(sent)}`,
    `  room     ${describeRoom(plan)}`,
    ...(input === null ? [] : [`  input    ${describeCount(input, findProvider(plan.provider))}`]),
    `  shows    ${visible}${visibleReason === undefined ? "" : `: ${visibleReason}`}`,
    ...plan.notes.map(
      ({ severity, message }) => `  ${severity === "warning" ? "⚠" : "note"}  ${message}`,
    ),
    "",
  ].join("\n");
}
