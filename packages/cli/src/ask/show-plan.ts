import { describePlan, type History, type Message, type UserPart } from "mull";

import type { Settings } from "../config/settings.ts";
import type { Given } from "../frame/command.ts";
import type { Io } from "../frame/io.ts";
import { readCount } from "../frame/read-count.ts";
import type { Backend } from "../session/backend.ts";
import { chooseTools } from "../tools/tools.ts";
import { viewRequest } from "../wire-tools/request-view.ts";
import { describeWithheld } from "./describe-withheld.ts";

export interface PlanQuestion {
  readonly given: Given;
  readonly io: Io;
  readonly settings: Settings;
  readonly backend: Backend;
  readonly parts: readonly UserPart[];
  readonly history: History | undefined;
}

/** `--plan`: the plan and the request as they would go out. Nothing is sent. */
export async function showPlan(ask: PlanQuestion): Promise<void> {
  const { given, io, settings, backend, parts, history } = ask;
  const tools = chooseTools(given.texts("tool")).map(({ spec }) => spec);
  const budget = readCount("--thinking-budget", given.text("thinking-budget"));
  const question: Message = { role: "user", parts };
  const request = {
    messages: [...(history?.messages ?? []), question],
    ...(settings.system !== undefined && { system: settings.system }),
    ...(settings.maxOutput !== undefined && { maxOutputTokens: settings.maxOutput }),
    ...(budget !== undefined && { thinkingBudget: budget }),
    ...(tools.length > 0 && { tools }),
  };
  const view = viewRequest(backend.target, request, backend.isSimulated, io.env);
  if (given.has("json") || given.has("jsonl")) {
    await io.out(`${JSON.stringify(view)}\n`);
    return;
  }
  const { plan, withheld } = view.receipt;
  const [, ...lines] = describePlan(plan, { notes: true });
  await io.out(
    [
      `${view.model}/${plan.asked}  (${view.provider}, ${view.wire})`,
      ...lines,
      ...describeWithheld(withheld).map((line) => `  ${line}`),
      `POST ${view.request.url}`,
      JSON.stringify(view.request.body, null, 2),
      "",
    ].join("\n"),
  );
}
