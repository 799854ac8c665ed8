import type { UIMessage } from "@mull/ui-messages";
import { readTurn } from "../thread/read-turn.ts";
import type { Handover, ThreadState } from "./app-state.ts";

/** Steps of the last answer that are over. */
export function stepsIn(messages: readonly UIMessage[]): number {
  const last = messages.findLast(({ role }) => role === "assistant");
  return last === undefined ? 0 : readTurn(last).steps.length;
}

export const describeHandover = ({ from, to }: Handover): string =>
  from === undefined ? `${to} continues from here.` : `${from} is finishing this step, then ${to}.`;

/** The model that still answers, while it does. */
export function handoverIn({ running, messages }: ThreadState): string | undefined {
  const { handover } = running ?? {};
  return handover === undefined || handover.steps !== stepsIn(messages)
    ? undefined
    : describeHandover(handover);
}
