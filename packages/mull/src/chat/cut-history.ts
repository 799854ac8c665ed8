import { nextAssistant } from "../history/compilation.ts";
import { isBlank } from "../history/is-blank.ts";
import type { Message } from "../types/message.ts";

/** The last place behind `from` where a history may be cut; `from` where there is none. */
export function lastCut(messages: readonly Message[], from: number, mayCutLoops: boolean): number {
  for (let at = messages.length - 1; at > from; at--)
    if (isCut(messages, at, mayCutLoops)) return at;
  return from;
}

/**
 * Whether what stands before this place comes to the same whatever follows, and the other way round:
 * a question behind an answer, or an answer behind the results it was asked for with.
 */
export function isCut(messages: readonly Message[], at: number, mayCutLoops: boolean): boolean {
  const message = messages[at];
  const before = messages[at - 1];
  if (message === undefined || before === undefined) return false;
  if (message.role === "assistant") return mayCutLoops && isBehindResults(messages, at);
  return isQuestion(message) && isPlainAnswer(before) && !hasResultsBehind(messages, at);
}

/** What is surely sent, and an answer to stand behind: elsewhere the cut would only be refused. */
const isQuestion = ({ role, parts }: Message): boolean =>
  role === "user" &&
  parts.every((part) => part.type === "text" && part.send !== false && !isBlank(part.text)) &&
  parts.length > 0;

const isPlainAnswer = ({ role, parts }: Message): boolean =>
  role === "assistant" && !parts.some((part) => part.type === "tool-call");

/** Results that come late are told of as moved to the answer before. */
function hasResultsBehind(messages: readonly Message[], at: number): boolean {
  const next = nextAssistant(messages, at);
  for (let i = at; i < next; i++) if (messages[i]!.role === "tool") return true;
  return false;
}

/** Of text: whose a stored file is, is told by the answer that follows it. */
function isBehindResults(messages: readonly Message[], at: number): boolean {
  let i = at - 1;
  while (i >= 0 && isPlainResult(messages[i]!)) i--;
  return i < at - 1 && messages[i]?.role === "assistant";
}

const isPlainResult = ({ role, parts }: Message): boolean =>
  role === "tool" &&
  parts.every((part) => part.type === "tool-result" && typeof part.output === "string");
