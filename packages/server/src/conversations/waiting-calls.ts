import type { Decision, JsonObject, ToolCallPart } from "mull";
import { isJsonObject, openCalls } from "mull/wire";
import type { StoredMessage, Turn } from "@mull/store";
import type { CallDecision } from "@mull/ui-messages";

/** Calls at the end of a branch that wait for a person's approval. */
export interface WaitingCalls {
  readonly calls: readonly ToolCallPart[];
  /** The turn that made them. */
  readonly turn: Turn;
}

/**
 * The waiting calls; none if the branch ends differently or a turn runs. Imported conversations may
 * also end in calls, but those never asked for approval.
 */
export function waitingCalls(
  branch: readonly StoredMessage[],
  turns: readonly Turn[],
): WaitingCalls | undefined {
  const calls = openCalls({ messages: branch.map(({ message }) => message) });
  const made = branch.findLast(({ message }) => message.role === "assistant")?.turnId;
  const turn = turns.find(({ id }) => id === made);
  const finish = turn?.receipt?.["finish"];
  const isAsked = isJsonObject(finish) && finish["reason"] === "approval";
  const isRunning = turns.some(({ state }) => state === "running");
  return turn === undefined || calls.length === 0 || !isAsked || isRunning
    ? undefined
    : { calls, turn };
}

/**
 * Where a decision waits for those about the other calls: a field for each, so that two windows
 * that decide at once keep each other's.
 */
const fieldOf = ({ turn }: WaitingCalls, callId: string): string => `decided:${turn.id}:${callId}`;

/** Decisions as fields of a conversation's `info`. */
export const keptDecisions = (
  waiting: WaitingCalls,
  decisions: readonly CallDecision[],
): JsonObject =>
  Object.fromEntries(
    decisions.map(({ callId, decision }) => [fieldOf(waiting, callId), JSON.stringify(decision)]),
  );

/** What was decided so far, in the order of the calls. */
export function decidedSoFar(waiting: WaitingCalls, info: JsonObject): readonly CallDecision[] {
  return waiting.calls.flatMap(({ id }): readonly CallDecision[] => {
    const kept = info[fieldOf(waiting, id)];
    return typeof kept === "string" ? [{ callId: id, decision: JSON.parse(kept) as Decision }] : [];
  });
}
