import type { Decision } from "mull";
import { isToolPart, type UIMessage } from "./ui-message.ts";

/** What a person said of one call: give it to `agent.decide`. */
export interface CallDecision {
  readonly callId: string;
  readonly decision: Decision;
}

/**
 * What a person said of the calls that waited, in the last message of `useChat`: the client called
 * `addToolApprovalResponse`. Calls that nobody spoke of yet are not in it.
 */
export function decisionsIn(messages: readonly UIMessage[]): readonly CallDecision[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || !Array.isArray(last.parts)) return [];
  return last.parts.flatMap((part): readonly CallDecision[] => {
    if (!isToolPart(part) || part.state !== "approval-responded") return [];
    const { approved, reason } = part.approval ?? {};
    const why = typeof reason === "string" ? reason : "";
    const decision = approved === true ? "run" : { refuse: why };
    return [{ callId: part.toolCallId, decision }];
  });
}
