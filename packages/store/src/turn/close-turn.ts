import type { AssistantMessage, AssistantPart, Message, ToolCallPart, ToolResultPart } from "mull";
import type { TurnDraft } from "../store.ts";

/**
 * The messages that complete a turn which stopped after `tail`: the answer it last made or
 * continues from, and that answer's results. Finished blocks are kept, and every call is answered:
 * with its result, or with what is known of it.
 */
export function closeTurn(tail: readonly Message[], draft: TurnDraft): readonly Message[] {
  const parts = [...draft.parts, ...(draft.open ?? [])];
  const cut: AssistantMessage | undefined =
    parts.length > 0 ? { role: "assistant", parts, interrupted: true } : undefined;
  const calls = cut === undefined ? openIn(tail) : callsIn(cut.parts);
  const results = calls.map((call) => answerOf(call, draft));
  return [
    ...(cut === undefined ? [] : [cut]),
    ...(results.length === 0 ? [] : [{ role: "tool", parts: results } as const]),
  ];
}

const callsIn = (parts: readonly AssistantPart[]): readonly ToolCallPart[] =>
  parts.filter((part) => part.type === "tool-call");

function openIn(tail: readonly Message[]): readonly ToolCallPart[] {
  const answered = new Set(
    tail.flatMap((message) =>
      message.role === "tool" ? message.parts.map(({ callId }) => callId) : [],
    ),
  );
  return tail
    .flatMap((message) => (message.role === "assistant" ? callsIn(message.parts) : []))
    .filter(({ id }) => !answered.has(id));
}

function answerOf(call: ToolCallPart, draft: TurnDraft): ToolResultPart {
  const known = draft.results.find((result) => result.callId === call.id);
  if (known !== undefined) return known;
  const output = draft.intents.includes(call.id)
    ? "interrupted: the call was started and its result is lost; it may have taken effect"
    : "interrupted: the call was not started";
  return { type: "tool-result", callId: call.id, name: call.name, output, isError: true };
}
