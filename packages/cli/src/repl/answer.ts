import {
  addCost,
  addUsage,
  type ChatResult,
  type Cost,
  type JsonObject,
  type Level,
  type Receipt,
  type Usage,
} from "mull";
import { estimateStep } from "../session/estimate-thinking.ts";

/** One turn of the conversation, for receipt and ledger. */
export interface Answer {
  /** The model that was asked last in the turn. */
  readonly model: string;
  readonly level: Level;
  readonly receipts: readonly Receipt[];
  readonly usage: Usage;
  readonly cost?: Cost;
  readonly firstMs?: number;
  readonly totalMs: number;
  readonly thinkingMs: number;
  /** Positions in the history: the turn is what lies between them. */
  readonly before: number;
  readonly after: number;
  /** It was given, and paid for, in the conversation that this one was copied from. */
  readonly isCopied?: true;
}

/** Adds up the steps of a turn. */
export class AnswerDraft {
  readonly #before: number;
  readonly #level: Level;
  readonly #receipts: Receipt[] = [];
  #usage: Usage = {};
  #cost: Cost | undefined;
  #firstMs: number | undefined;
  #thinkingMs = 0;

  constructor(before: number, level: Level) {
    this.#before = before;
    this.#level = level;
  }

  get hasSteps(): boolean {
    return this.#receipts.length > 0;
  }

  add(step: ChatResult): void {
    this.#receipts.push(step.receipt);
    this.#usage = addUsage(this.#usage, estimateStep(step));
    if (step.cost !== undefined)
      this.#cost = this.#cost === undefined ? step.cost : addCost(this.#cost, step.cost);
    this.#firstMs ??= step.timing.firstMs;
    for (const part of step.message.parts)
      if (part.type === "thinking") this.#thinkingMs += part.durationMs ?? 0;
  }

  finish(totalMs: number, after: number): Answer {
    const plan = this.#receipts.at(-1)?.plan;
    return {
      model: plan?.model ?? "?",
      level: plan?.asked ?? this.#level,
      receipts: this.#receipts,
      usage: this.#usage,
      ...(this.#cost !== undefined && { cost: this.#cost }),
      ...(this.#firstMs !== undefined && { firstMs: this.#firstMs }),
      totalMs,
      thinkingMs: this.#thinkingMs,
      before: this.#before,
      after,
    };
  }
}

/** `receipt` is the last one again: lists and sums look for it there. */
export const answerToJson = (answer: Answer): JsonObject => {
  const { after: _after, usage, ...data } = answer;
  const { raw: _raw, ...counts } = usage;
  const receipt = answer.receipts.at(-1);
  return JSON.parse(JSON.stringify({ ...data, usage: counts, receipt })) as JsonObject;
};

/** What a file says of a turn that ended at `after`; a question asked without a chat says less. */
export function answerFromJson(
  data: JsonObject,
  before: number,
  after: number,
): Answer | undefined {
  const { model, usage, receipt, receipts, totalMs } = data;
  if (typeof model !== "string" || !isJsonObject(usage)) return undefined;
  const all = Array.isArray(receipts) ? receipts : isJsonObject(receipt) ? [receipt] : [];
  const known = all as unknown as readonly Receipt[];
  return {
    thinkingMs: 0,
    level: known.at(-1)?.plan.asked ?? "auto",
    ...(data as unknown as Partial<Answer>),
    model,
    usage,
    receipts: known,
    totalMs: typeof totalMs === "number" ? totalMs : 0,
    before: typeof data["before"] === "number" ? data["before"] : before,
    after,
  };
}

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
