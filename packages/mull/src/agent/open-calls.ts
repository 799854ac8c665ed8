import type { History } from "../history/history.ts";
import { invalidArgument, MullError } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type {
  AssistantMessage,
  AssistantPart,
  ToolCallPart,
  ToolResultPart,
} from "../types/message.ts";
import type { Tool } from "./tool.ts";
import { toOutput } from "./tool-output.ts";

/**
 * A call that waits for a decision. `approval`: its tool asks for it. `interrupted`: the process ended
 * after the call was made, so it may have run, and its tool is not marked as `idempotent`.
 */
export interface PendingCall {
  readonly call: ToolCallPart;
  readonly why: "approval" | "interrupted";
}

/** What becomes of a pending call: it runs, it is refused for a reason, or its output is given. */
export type Decision = "run" | { readonly refuse: string } | { readonly output: unknown };

/** The calls of an answer that are to be run here. */
export const runnableCalls = ({ parts }: AssistantMessage): readonly ToolCallPart[] =>
  parts.filter((part) => part.type === "tool-call").filter(({ send }) => send !== false);

/** Calls at the end of a history that have no result yet. The calls of an answer that broke off don't count. */
export function openCalls({ messages }: Pick<History, "messages">): readonly ToolCallPart[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const answer = messages[at];
  if (answer?.role !== "assistant" || answer.interrupted) return [];
  const after = messages.slice(at + 1);
  if (!after.every(({ role }) => role === "tool")) return [];
  const answered = new Set(
    after.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool-result" ? [part.callId] : [])),
    ),
  );
  return runnableCalls(answer).filter(({ id }) => !answered.has(id));
}

/** Whether a history ends before its answer. What a vendor runs by itself may be the last of a pause. */
export function isOpen({ messages }: History): boolean {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return last !== undefined;
  const isPause = last.parts.at(-1)?.type === "opaque";
  return isPause || last.interrupted === true || runnableCalls(last).length > 0;
}

/** A history with more results of its last calls, all results in the order of the calls. */
export function withResults(history: History, results: readonly ToolResultPart[]): History {
  if (results.length === 0) return history;
  const { messages } = history;
  const last = messages.at(-1);
  if (last?.role !== "tool") return history.append({ role: "tool", parts: results });
  const answer = messages.findLast(({ role }) => role === "assistant");
  const calls = answer?.role === "assistant" ? runnableCalls(answer).map(({ id }) => id) : [];
  const given = new Set(results.map(({ callId }) => callId));
  const parts = [...last.parts.filter(({ callId }) => !given.has(callId)), ...results].toSorted(
    (a, b) => calls.indexOf(a.callId) - calls.indexOf(b.callId),
  );
  return history.map((message) => (message === last ? { role: "tool", parts } : message));
}

/** Marks a call as approved, so that another process knows that it may have run. */
export const markApproved = (history: History, callId: string): History =>
  history.map((message) => {
    if (message.role !== "assistant" || !message.parts.some((part) => isCall(part, callId)))
      return message;
    const parts = message.parts.map((part): AssistantPart =>
      isCall(part, callId) ? { ...part, approved: true } : part,
    );
    return { ...message, parts };
  });

const isCall = (part: AssistantPart, id: string): part is ToolCallPart =>
  part.type === "tool-call" && part.id === id;

/** Why a call has to wait; `undefined` for one that can run now. */
export async function whyWaiting(
  call: ToolCallPart,
  tool: Tool | undefined,
  isFresh: boolean,
): Promise<PendingCall["why"] | undefined> {
  // A call that cannot run at all is answered with what is wrong.
  if (tool === undefined || call.invalid !== undefined) return undefined;
  if (call.approved) return tool.idempotent ? undefined : "interrupted";
  if (await needsApproval(call, tool)) return "approval";
  return isFresh || tool.idempotent ? undefined : "interrupted";
}

/** A rule that fails lets nothing pass. */
async function needsApproval({ input }: ToolCallPart, tool: Tool): Promise<boolean> {
  if (tool.needsApproval === undefined) return false;
  const checked = await tool.check(input);
  if ("faults" in checked) return false;
  try {
    return await tool.needsApproval(checked.input);
  } catch {
    return true;
  }
}

/** The refusal to go on while calls wait. */
export function undecided(pending: readonly PendingCall[]): MullError {
  const calls = pending.map(({ call, why }) => `${call.name} (${call.id}, ${why})`).join(", ");
  return new MullError(`Calls wait for a decision: ${calls}.`, {
    category: "invalid_argument",
    code: "undecided",
    field: "callId",
    allowed: pending.map(({ call }) => call.id),
    fix: "call agent.decide(callId, decision) for each of them, then resume",
  });
}

/** The result of a call that a decision settles; `undefined` if it is to run. */
export function resultOf(
  { id, name }: ToolCallPart,
  decision: Decision,
  maxBytes: number,
): ToolResultPart | undefined {
  const result = { type: "tool-result", callId: id, name } as const;
  if (decision === "run") return undefined;
  if (isJsonObject(decision) && typeof decision["refuse"] === "string") {
    const refused = decision["refuse"];
    const output = `Refused, the call was not run: ${refused || "no reason was given"}`;
    return { ...result, output, isError: true, refused };
  }
  if (isJsonObject(decision) && "output" in decision)
    return { ...result, output: toOutput(decision["output"], maxBytes) };
  throw invalidArgument("decision", decision, '"run", { refuse: reason } or { output }');
}
