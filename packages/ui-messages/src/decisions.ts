import type { Decision } from "mull";
import { isToolPart, type UIMessage } from "./ui-message.ts";

/** A person's decision about one call: pass it to `agent.decide`. */
export interface CallDecision {
  readonly callId: string;
  readonly decision: Decision;
}

/**
 * A person's decisions about the waiting calls, in the last message of `useChat`: the client
 * called `addToolApprovalResponse`. Calls without a decision are left out.
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
