import {
  anthropicData,
  isReasoning,
  partsOf,
  type ChatMessage,
  type ChatPart,
  type Log,
} from "./chat-message.ts";

/** Turns stored `reasoning` parts into `thinking` parts, with their signatures. */
export function convertReasoningToThinking(
  messages: readonly ChatMessage[],
  log: Log = silent,
): readonly ChatMessage[] {
  log(`[thinking] conversion started: ${messages.length} messages`);
  return messages.map((message, index) => {
    const parts = partsOf(message);
    if (message.role !== "assistant" || !parts.some(isReasoning)) return message;
    const count = parts.filter(isReasoning).length;
    log(`[thinking] message ${index}: ${count} reasoning part${count === 1 ? "" : "s"} converted`);
    return { ...message, content: parts.map(convert) };
  });
}

const silent: Log = () => undefined;

function convert(part: ChatPart): ChatPart {
  if (!isReasoning(part)) return part;
  const data = anthropicData(part);
  if (typeof data["redactedData"] === "string")
    return { type: "redacted_thinking", data: data["redactedData"] };
  const signature = part["signature"] ?? data["signature"];
  return {
    type: "thinking",
    thinking: textOf(part),
    ...(typeof signature === "string" && { signature }),
  };
}

const textOf = (part: ChatPart): string => {
  const text = part["text"] ?? part["reasoning"] ?? part["thinking"];
  return typeof text === "string" ? text : "";
};
