import type { Receipt, ThinkingPart, Usage } from "mull";
import { plural } from "mull/wire";
import { estimateTokens } from "../session/estimate-thinking.ts";
import { clockSeconds, seconds } from "./format.ts";

export const thinkingModes = ["peek", "full", "hide"] as const;
/** How much of the thinking is shown while it comes, and how much stays on the screen. */
export type ThinkingMode = (typeof thinkingModes)[number];

/** What is known of a block of thinking when its line is written. */
export interface ThoughtLine {
  readonly part: Pick<ThinkingPart, "text" | "visibility" | "cut" | "durationMs" | "seal">;
  /** The time measured here, if the block does not have one. */
  readonly measuredMs: number;
  /** Its share of the counts, once the service has said it. */
  readonly usage?: Usage;
  readonly receipt?: Receipt;
  readonly provider: string;
  readonly mode: ThinkingMode;
}

export const runningLine = (ms: number, text: string): string =>
  `∴ thinking… ${clockSeconds(ms)}${text === "" ? "" : ` · ~${plural(estimateTokens(text), "token")}`}`;

/** One line tells the truth about a block of thinking; nothing at all when there is nothing to tell. */
export function thoughtLine(thought: ThoughtLine): string | undefined {
  const { part, measuredMs, usage } = thought;
  const time = seconds(part.durationMs ?? measuredMs);
  if (part.cut) return `∴ thinking cut after ${time} · readable, never sent`;
  if (part.visibility === "redacted")
    return `∴ thought ${time} · redacted by ${thought.provider}, kept sealed`;
  const isEmpty = part.text === "" && part.seal === undefined && usage?.thinking === undefined;
  if (isEmpty) return undefined;
  const what = kindOf(thought);
  return [`∴ thought ${time}`, countOf(part.text, usage), ...what].join(" · ");
}

function countOf(text: string, usage: Usage | undefined): string {
  if (usage?.thinking === undefined)
    return text === "" ? "tokens not reported" : `~${plural(estimateTokens(text), "token")}`;
  const sign = usage.thinkingSource === "estimated" ? "~" : "";
  const derived = usage.thinkingSource === "derived" ? " derived" : "";
  return `${sign}${plural(usage.thinking, "token")}${derived}`;
}

function kindOf({ part, receipt, mode }: ThoughtLine): readonly string[] {
  if (part.text === "") return [`hidden: ${whyHidden(receipt)}`];
  if (mode === "full") return [];
  return [part.visibility, "^T"];
}

/** Why a turn has no thinking to read: its parts and the counts tell. */
export function whyNoThinking(
  parts: readonly Pick<ThinkingPart, "visibility">[],
  { thinking }: Usage,
  receipt: Receipt | undefined,
): string {
  if (parts.some(({ visibility }) => visibility === "redacted"))
    return "the service redacted it; it is kept sealed";
  if (parts.length > 0 || (thinking ?? 0) > 0) return whyHidden(receipt);
  if (receipt?.plan.applied === "none") return "thinking was off";
  return thinking === 0
    ? "the model did not think, by the service's count"
    : "the service sent none and counted none";
}

/** The reason: what the service refused, what the plan predicted, or that it is unknown. */
function whyHidden(receipt: Receipt | undefined): string {
  const refused = receipt?.repairs.find(({ rule, detail }) => /summar/i.test(rule + detail));
  if (refused !== undefined) return "OpenAI shows summaries to verified organisations only";
  return receipt?.plan.visibleReason ?? "the service sent none of it";
}
