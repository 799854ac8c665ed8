import type { Message, WireId } from "../types/message.ts";
import { resultAsText } from "./result-as-text.ts";

/**
 * True when the last thing that happened is a tool call answered, and neither the assistant turn
 * that made it nor the first of its loop begins with thinking. Budget-thinking Claude refuses that.
 * Assistant messages next to each other are one turn to the service.
 */
export function hasUnledOpenLoop(messages: readonly Message[], wire: WireId): boolean {
  if (wire !== "anthropic-messages") return false;
  const last = lastAssistant(messages);
  if (last === undefined || !callsTools(messages[last])) return false;
  return (
    !startsThinking(messages[startOfTurn(messages, last)]) &&
    !startsThinking(messages[firstOfLoop(messages, last)])
  );
}

const lastAssistant = (messages: readonly Message[]): number | undefined => {
  const index = messages.findLastIndex((message) => message.role === "assistant");
  return index < 0 ? undefined : index;
};

const callsTools = (message: Message | undefined): boolean =>
  message?.parts.some((part) => part.type === "tool-call") === true;

const startsThinking = (message: Message | undefined): boolean =>
  message?.role === "assistant" && message.parts[0]?.type === "thinking";

function startOfTurn(messages: readonly Message[], at: number): number {
  let start = at;
  while (messages[start - 1]?.role === "assistant") start--;
  return start;
}

/** Goes back over turns as long as tool results stand between them. */
function firstOfLoop(messages: readonly Message[], last: number): number {
  let first = startOfTurn(messages, last);
  for (;;) {
    let before = first - 1;
    let hasResults = false;
    for (; before >= 0 && messages[before]?.role !== "assistant"; before--)
      hasResults ||= messages[before]?.role === "tool";
    if (before < 0 || !hasResults) return first;
    first = startOfTurn(messages, before);
  }
}

/** Rewrites the calls and results of the open loop as text, thinking parts left out. */
export function demoteOpenLoop(messages: readonly Message[]): readonly Message[] {
  const last = lastAssistant(messages);
  if (last === undefined) return messages;
  const first = firstOfLoop(messages, last);
  return messages.map((message, index) => (index < first ? message : asText(message)));
}

function asText(message: Message): Message {
  if (message.role === "assistant") {
    const parts = message.parts.flatMap((part) => {
      if (part.type === "thinking") return [];
      if (part.type !== "tool-call") return [part];
      return [
        { type: "text" as const, text: `[called ${part.name} with ${JSON.stringify(part.input)}]` },
      ];
    });
    return { ...message, parts };
  }
  if (message.role !== "tool") return message;
  return { role: "user", parts: message.parts.flatMap(resultAsText) };
}

/** Puts an unsigned thought before the open loop's calls, for endpoints that check none. */
export function leadWithThought(messages: readonly Message[]): readonly Message[] {
  const last = lastAssistant(messages);
  return messages.map((message, index) =>
    index === last && message.role === "assistant"
      ? {
          ...message,
          parts: [
            {
              type: "thinking" as const,
              text: "Continuing the work of another model.",
              visibility: "full" as const,
            },
            ...message.parts,
          ],
        }
      : message,
  );
}
