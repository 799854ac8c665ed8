import {
  sumReceipts,
  type ChatResult,
  type Cost,
  type JsonObject,
  type Level,
  type Receipt,
  type Usage,
} from "mull";
import { isJsonObject } from "mull/wire";
import { estimateStep } from "../session/estimate-thinking.ts";

/** One turn of the conversation, for receipt and ledger. */
export interface LedgerEntry {
  /** The model that was asked last in the turn. */
  readonly model: string;
  readonly level: Level;
  /** One a step, each with the model, usage and cost of that step; old files have neither of the two. */
  readonly receipts: readonly Receipt[];
  readonly usage: Usage;
  /** `atLeast` where it was cut, or a step has no price. */
  readonly cost?: Cost;
  /** Not whole, and why. */
  readonly cut?: Cut;
  readonly firstMs?: number;
  readonly totalMs: number;
  readonly thinkingMs: number;
  /** Positions in the history: the turn is what lies between them. */
  readonly before: number;
  readonly after: number;
  /** It was given, and paid for, in the conversation that this one was copied from. */
  readonly isCopied?: true;
}

export type Cut = "stopped" | "failed";

/** Adds up the steps of a turn. */
export class AnswerDraft {
  readonly #before: number;
  readonly #receipts: Receipt[] = [];
  #cut: Cut | undefined;
  #firstMs: number | undefined;
  #thinkingMs = 0;

  constructor(before: number) {
    this.#before = before;
  }

  add(step: ChatResult): void {
    const { raw: _, ...usage } = estimateStep(step);
    this.#receipts.push({ ...step.receipt, usage });
    this.#firstMs ??= step.timing.firstMs;
    for (const part of step.message.parts)
      if (part.type === "thinking") this.#thinkingMs += part.durationMs ?? 0;
  }

  /** The turn did not come to its end; `receipts` are all of its stream. */
  cut(why: Cut, receipts: readonly Receipt[]): void {
    this.#cut = why;
    const last = receipts.at(-1);
    if (last?.unfinished) this.#receipts.push(last);
  }

  /** `undefined` if nothing was used. */
  finish(totalMs: number, after: number): LedgerEntry | undefined {
    const plan = this.#receipts.at(-1)?.plan;
    if (plan === undefined) return undefined;
    const { usage, cost, costAtLeast = cost } = sumReceipts(this.#receipts);
    return {
      model: plan.model,
      level: plan.asked,
      // A copy: the stream of a turn that was abandoned may still end, and `cut` is told then.
      receipts: [...this.#receipts],
      usage,
      ...(costAtLeast !== undefined && { cost: costAtLeast }),
      ...(this.#cut !== undefined && { cut: this.#cut }),
      ...(this.#firstMs !== undefined && { firstMs: this.#firstMs }),
      totalMs,
      thinkingMs: this.#thinkingMs,
      before: this.#before,
      after,
    };
  }
}

/** What one model used in a turn: a row of the ledger. */
export interface Share {
  readonly model: string;
  readonly level: Level;
  readonly usage: Usage;
  readonly cost?: Cost;
}

/** The turn split by answering model, in order; a turn whose steps are unknown is one share. */
export function sharesOf({ receipts, model, level, usage, cost }: LedgerEntry): readonly Share[] {
  const runs: [Receipt, ...Receipt[]][] = [];
  for (const receipt of receipts) {
    const run = runs.at(-1);
    if (run?.[0].plan.model === receipt.plan.model) run.push(receipt);
    else runs.push([receipt]);
  }
  if (runs.length < 2 || receipts.some((receipt) => receipt.usage === undefined))
    return [{ model, level, usage, ...(cost !== undefined && { cost }) }];
  return runs.map((run) => {
    const { plan } = run[0];
    const { cost: whole, costAtLeast = whole, usage: taken } = sumReceipts(run);
    return {
      model: plan.model,
      level: plan.asked,
      usage: taken,
      ...(costAtLeast !== undefined && { cost: costAtLeast }),
    };
  });
}

/** `receipt` is the last one again: lists look for it there. */
export const answerToJson = (answer: LedgerEntry): JsonObject => {
  const { after: _after, ...data } = answer;
  const receipt = answer.receipts.at(-1);
  // Through JSON, so that what is absent stays absent in the file.
  return JSON.parse(JSON.stringify({ ...data, receipt })) as JsonObject;
};

const isReceipt = (value: unknown): value is Receipt =>
  isJsonObject(value) && isJsonObject(value["plan"]);

/** What a file says of a turn that ended at `after`; a question asked without a chat says less. */
export function answerFromJson(
  data: JsonObject,
  before: number,
  after: number,
): LedgerEntry | undefined {
  const { model, usage, receipt, receipts, totalMs } = data;
  if (typeof model !== "string" || !isJsonObject(usage)) return undefined;
  const all: readonly unknown[] = Array.isArray(receipts) ? receipts : [receipt];
  const known = all.filter(isReceipt);
  const rest: object = data;
  return {
    thinkingMs: 0,
    level: known.at(-1)?.plan.asked ?? "auto",
    ...(rest as Partial<LedgerEntry>),
    model,
    usage,
    receipts: known,
    totalMs: typeof totalMs === "number" ? totalMs : 0,
    before: typeof data["before"] === "number" ? data["before"] : before,
    after,
  };
}
