import { wholeSystem } from "./own-system.ts";
import { createHash } from "node:crypto";
import {
  compose,
  describePlan,
  estimateTokens,
  findKey,
  findModel,
  type JsonObject,
  type Level,
  type LintReport,
  type Message,
  type Provider,
  type Tool,
} from "mull";
import { createLoopShare, type LoopShare } from "@mull/store/parts";
import type { Upstream } from "../parts.ts";
import type { Choice, TurnMaker } from "../turns/turn-maker.ts";
import { estimateInstructions } from "./estimate-instructions.ts";
import { lintInSlices } from "./lint-in-slices.ts";

type InspectedRequest = ReturnType<typeof compose>;

interface Inspection extends Pick<InspectedRequest, "plan" | "notes"> {
  readonly model: string;
  readonly level: Level;
  readonly simulated: boolean;
  readonly path: string;
  readonly body: JsonObject;
  readonly words: ReturnType<typeof describePlan>;
  readonly history: readonly Message[];
  readonly withheld: InspectedRequest["prepared"]["withheld"];
  readonly changes: InspectedRequest["prepared"]["changes"];
  readonly lint: LintReport;
  /** The status of the answer. */
  readonly predicted: number;
  readonly tokens: number;
}

/** What would be sent to a model if the conversation continued now. Nothing is sent. */
export async function inspect(
  maker: TurnMaker,
  choice: Choice,
  messages: readonly Message[],
  tools: readonly Tool[],
  loop: LoopShare = createLoopShare(),
  info: JsonObject = {},
): Promise<Inspection> {
  const system = wholeSystem(maker.system, info);
  const { target, level } = choice;
  const sent = await maker.comply(messages);
  await loop.take();
  const composed = compose(
    { ...target, level },
    {
      messages: sent,
      level,
      ...(tools.length > 0 && { tools: tools.map((tool) => tool.spec) }),
      ...(system !== undefined && { system }),
    },
    {
      modelOf: (id) => findModel(id),
      contextTokens: estimateTokens(sent),
      simulated: choice.isSimulated,
      ...reachedAs(target.provider, maker.upstream(target.provider)),
    },
  );
  const { plan, prepared, encoded, notes } = composed;
  // Checking megabytes takes as long as writing them, so let others in between.
  await loop.take();
  const report = await lintInSlices(
    {
      wire: plan.wire,
      body: encoded.body,
      model: target.model,
      path: encoded.path,
      headers: encoded.headers,
    },
    loop,
  );
  return {
    model: choice.model,
    level,
    simulated: choice.isSimulated,
    path: encoded.path,
    body: encoded.body,
    plan,
    words: describePlan(plan, { switched: false }),
    history: sent,
    withheld: prepared.withheld,
    changes: prepared.changes,
    notes,
    lint: report,
    predicted: report.ok ? 200 : (report.findings.find(isError)?.answer?.status ?? 400),
    tokens: estimateTokens(sent) + estimateInstructions(system, tools),
  };
}

const isError = (finding: { readonly severity: string }): boolean => finding.severity === "error";

/** Where the provider is and which account we use: seals may open only there. */
function reachedAs(
  provider: Provider,
  { env, apiKey }: Upstream,
): { readonly endpoint: string; readonly account?: string } {
  const key = apiKey ?? findKey(provider, env);
  const address = env[provider.baseUrlVariable] || provider.baseUrl;
  const endpoint = new URL(address).origin;
  if (key === undefined) return { endpoint };
  const account = createHash("sha256").update(`mull:${key}`).digest("hex").slice(0, 16);
  return { endpoint, account };
}
