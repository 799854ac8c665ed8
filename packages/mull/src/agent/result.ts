import { addCost } from "../catalogue/cost.ts";
import type { Cost, Usage } from "../types/usage.ts";
import type { Finish } from "../types/event.ts";
import { pick } from "../types/json.ts";
import type {
  FilePart,
  Message,
  Part,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from "../types/message.ts";
import type { PendingCall } from "./open-calls.ts";
import type { Receipt } from "../types/plan.ts";
import { requireList, requireObject } from "../types/error.ts";

/**
 * A message without thinking and seals, for showing. Conversations cannot be continued from it; use
 * a `History`.
 */
export interface ReadableMessage {
  readonly role: "user" | "model" | "tool";
  readonly parts: readonly ReadablePart[];
}

/** A part of a readable message. */
export type ReadablePart =
  | Pick<TextPart, "type" | "text">
  | Pick<ToolCallPart, "type" | "id" | "name" | "input">
  | Pick<ToolResultPart, "type" | "callId" | "name" | "output" | "isError">
  | Pick<FilePart, "type" | "mediaType" | "source" | "name">;

/** One block of thinking: what it showed, how long it took, how many tokens it used. */
export interface ThinkingBlock {
  readonly text: string;
  readonly visibility: ThinkingPart["visibility"];
  readonly durationMs?: number;
  readonly cut?: true;
}

/** The outcome of one turn: text, thinking, usage, cost, and the receipts of its requests. */
export interface AgentResult<T = unknown> {
  readonly text: string;
  /** The model's refusal, if the service marks one. It is not in `text`. */
  readonly refusal?: string;
  /** All thinking of the turn, blocks joined by a blank line. */
  readonly thinking: string;
  readonly metadata: { readonly thinking: string };
  /** The final answer, without thinking. */
  readonly output: ReadableMessage;
  /** Every message of the turn, without thinking. */
  readonly messages: readonly ReadableMessage[];
  readonly thinkingBlocks: readonly ThinkingBlock[];
  readonly finish: Finish;
  /** Summed over the steps of the turn. */
  readonly usage: Usage;
  /** The cost of all steps, if every step has a price. */
  readonly cost?: Cost;
  /** The cost of the steps with a price, if others have none. */
  readonly costAtLeast?: Cost;
  /** The last step's receipt, and all of them. */
  readonly receipt: Receipt;
  readonly receipts: readonly Receipt[];
  /** The object that `output` asked for; absent if the turn ended before an answer. */
  readonly object?: T;
  /** Calls that wait for a decision, if `finish.reason` is `approval`. */
  readonly pending?: readonly PendingCall[];
}

/** What people read of a part; nothing of thinking and of blocks that only their wire knows. */
const readableFields = {
  text: ["type", "text"],
  "tool-call": ["type", "id", "name", "input"],
  "tool-result": ["type", "callId", "name", "output", "isError"],
  file: ["type", "mediaType", "source", "name"],
  thinking: [],
  opaque: [],
} as const;

/** A message without thinking and seals; `undefined` if nothing is left for people to read. */
export function toReadable(message: Message): ReadableMessage | undefined {
  requireObject("message", message, "a message with a role and parts");
  requireList("message.parts", message.parts, "a list of parts");
  if (message.role === "system") return undefined;
  const parts = message.parts.flatMap((part: Part): readonly ReadablePart[] => {
    const names = readableFields[part.type] as readonly (keyof Part)[];
    if (part.show === false || names.length === 0) return [];
    return [pick(part, names) as ReadablePart];
  });
  return { role: message.role === "assistant" ? "model" : message.role, parts };
}

/** The visible text of a message. */
export const textOf = (message: Message | undefined): string =>
  (message?.parts ?? [])
    .map((part) => (part.type === "text" && !part.refusal && part.show !== false ? part.text : ""))
    .join("");

export const thinkingBlocksOf = (messages: readonly Message[]): readonly ThinkingBlock[] =>
  messages
    .flatMap(({ parts }: { readonly parts: readonly Part[] }) => parts)
    .filter((part) => part.type === "thinking")
    .map(({ text, visibility, durationMs, cut }) => ({
      text,
      visibility,
      ...(durationMs !== undefined && { durationMs }),
      ...(cut && { cut }),
    }));

export const joinThinking = (blocks: readonly ThinkingBlock[]): string =>
  blocks
    .map((block) => block.text)
    .filter((text) => text !== "")
    .join("\n\n");

const countFields = [
  "input",
  "cacheRead",
  "cacheWrite",
  "cacheWriteHour",
  "output",
  "thinking",
  "total",
  "summaryInput",
  "summaryOutput",
] as const;

/**
 * Adds two token counts. A count that neither has stays absent; an estimate in either makes the sum
 * an estimate.
 */
export function addUsage(a: Usage, b: Usage): Usage {
  for (const usage of [a, b]) requireObject("usage", usage, "the usage of an answer");
  const counts: Partial<Record<(typeof countFields)[number], number>> = {};
  for (const field of countFields) {
    if (a[field] !== undefined || b[field] !== undefined)
      counts[field] = (a[field] ?? 0) + (b[field] ?? 0);
  }
  const sources = new Set([a.thinkingSource, b.thinkingSource]);
  const source = (["estimated", "derived", "reported"] as const).find((name) => sources.has(name));
  return {
    ...counts,
    ...(source !== undefined && { thinkingSource: source }),
    ...((a.estimated ?? b.estimated) && { estimated: true }),
  };
}

/** Adds up the usage and cost of several receipts, each by the prices of its own model. */
export function sumReceipts(
  receipts: readonly Pick<Receipt, "usage" | "cost">[],
): Pick<AgentResult, "usage" | "cost" | "costAtLeast"> {
  requireList("receipts", receipts, "a list of receipts, e.g. result.receipts");
  const usage = receipts.reduce<Usage>((sum, step) => addUsage(sum, step.usage ?? {}), {});
  const costs = receipts.flatMap(({ cost }) => cost ?? []);
  if (costs.length === 0) return { usage };
  const sum = costs.reduce(addCost);
  return costs.length === receipts.length && !sum.atLeast
    ? { usage, cost: sum }
    : { usage, costAtLeast: { ...sum, atLeast: true } };
}
