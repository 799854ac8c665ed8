import {
  isCall,
  isResult,
  partsOf,
  type ChatMessage,
  type ChatPart,
  type Log,
} from "./chat-message.ts";

/** Puts tool calls and their results into separate, consecutive messages. */
export function ensureToolMessageStructure(
  messages: readonly ChatMessage[],
  log: Log = silent,
): readonly ChatMessage[] {
  log(`[thinking] tool structure started: ${messages.length} messages`);
  return messages.flatMap((message, index): readonly ChatMessage[] => {
    const parts = partsOf(message);
    if (message.role !== "assistant" || !parts.some(isResult)) return [message];
    const split = splitAtResults(message, parts);
    log(`[thinking] message ${index} split into ${split.length} messages`);
    return split;
  });
}

const silent: Log = () => undefined;

/** A run of results closes an answer; what follows it is the next one. */
function splitAtResults(message: ChatMessage, parts: readonly ChatPart[]): readonly ChatMessage[] {
  const out: ChatMessage[] = [];
  let answer: ChatPart[] = [];
  let results: ChatPart[] = [];
  const close = (): void => {
    if (answer.length > 0) out.push({ ...message, content: answer });
    if (results.length > 0) out.push({ role: resultRole(results), content: results });
    answer = [];
    results = [];
  };
  parts.forEach((part, index) => {
    if (isResult(part)) {
      results.push(part);
      return;
    }
    // A call directly after a result is still one of the parallel calls it was stored with.
    if (results.length > 0 && !(isCall(part) && isInterleavedPair(parts, index))) close();
    answer.push(part);
  });
  close();
  return out;
}

/** Some stores keep `call, result, call, result` for calls that were made together. */
const isInterleavedPair = (parts: readonly ChatPart[], index: number): boolean => {
  const before = parts[index - 1];
  const after = parts[index + 1];
  return before !== undefined && isResult(before) && after !== undefined && isResult(after);
};

const resultRole = (results: readonly ChatPart[]): "tool" | "user" =>
  results.some((part) => part.type === "tool_result") ? "user" : "tool";
