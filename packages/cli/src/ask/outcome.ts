import {
  sumReceipts,
  type AgentResult,
  type Cost,
  type Finish,
  type MullError,
  type Receipt,
  type Usage,
} from "mull";

import { exitCodes } from "../frame/exit-code.ts";
import { exitCodeOfError } from "../frame/report.ts";
import { UsageError } from "../frame/usage-error.ts";
import { estimateThinking } from "../session/estimate-thinking.ts";

/** How a turn ended: what `--json` prints. */
export interface TurnOutcome {
  readonly v: 1;
  readonly text: string;
  readonly thinking: string;
  readonly receipt: Receipt | null;
  readonly usage: Usage | null;
  readonly cost: Cost | null;
  /** Replaces `cost` if a part of it is not known: the answer was cut, or a step has no price. */
  readonly costAtLeast: Cost | null;
  /** The model that was asked; the receipt says what served it. Null when none was. */
  readonly model: string | null;
  readonly finish: Finish | null;
  /** Name to go on with, `mull -r NAME`; null when it is not kept. */
  readonly conversation: string | null;
  readonly error?: OutcomeError;
}

interface OutcomeError {
  readonly category: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly message: string;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly rule: string | null;
  readonly fix: string | null;
}

type OutcomeContext = Pick<TurnOutcome, "model" | "conversation">;

export const succeeded = (result: AgentResult, known: OutcomeContext): TurnOutcome => ({
  v: 1,
  text: result.text,
  thinking: result.thinking,
  receipt: result.receipt,
  usage: estimateThinking(result.usage, result.thinkingBlocks),
  cost: result.cost ?? null,
  costAtLeast: result.costAtLeast ?? null,
  finish: result.finish,
  ...known,
});

/** The text that arrived stays; the rest is the error. */
export const failed = (
  error: MullError,
  known: OutcomeContext,
  receipts: readonly Receipt[],
  advice?: string,
): TurnOutcome => {
  const parts = error.partial?.message.parts ?? [];
  const described = describeError(error);
  const { usage, cost = null, costAtLeast = null } = sumReceipts(receipts);
  const join = (type: "text" | "thinking"): string =>
    parts.map((part) => (part.type === type ? part.text : "")).join("");
  return {
    v: 1,
    text: join("text"),
    thinking: join("thinking"),
    receipt: receipts.at(-1) ?? null,
    usage: receipts.length === 0 ? null : usage,
    cost,
    costAtLeast,
    finish: error.partial?.finish ?? null,
    ...known,
    error: { ...described, fix: described.fix ?? advice ?? null },
  };
};

/** Nothing was asked, because an error came first. */
export const refused = (error: Error): TurnOutcome => ({
  v: 1,
  text: "",
  thinking: "",
  receipt: null,
  usage: null,
  cost: null,
  costAtLeast: null,
  finish: null,
  model: null,
  conversation: null,
  error: describeError(
    "category" in error
      ? (error as MullError)
      : { category: "invalid_argument", message: error.message, fix: hintOf(error) },
  ),
});

const hintOf = (error: Error): string | undefined =>
  error instanceof UsageError ? error.hint : undefined;

const describeError = (
  error: Pick<MullError, "category" | "message"> & Partial<MullError>,
): OutcomeError => ({
  category: error.category,
  status: error.status ?? null,
  code: error.code ?? null,
  message: error.message,
  retryAfterMs: error.retryAfterMs ?? null,
  requestId: error.requestId ?? null,
  rule: error.rule ?? null,
  fix: error.fix ?? null,
});

const finishCodes: Partial<Readonly<Record<Finish["reason"], number>>> = {
  length: exitCodes.cutShort,
  "content-filter": exitCodes.filtered,
  refusal: exitCodes.filtered,
  error: exitCodes.broken,
};

export const exitCodeOfFinish = (finish: Finish): number =>
  finishCodes[finish.reason] ?? exitCodes.done;

export { exitCodeOfError };
