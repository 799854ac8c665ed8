import type { ToolCallPart } from "mull";
import { isJsonObject, openCalls } from "mull/wire";
import type { StoredMessage, Turn } from "@mull/store";

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
