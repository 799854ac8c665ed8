import { type AssistantPart, type Fetch, streamChat, type WireId } from "mull";
import type { Tally } from "../streams.ts";
import { type Contestant, everyWire } from "./contestant.ts";

export const modelOf: Readonly<Record<WireId, string>> = {
  "anthropic-messages": "claude-opus-5-5",
  "openai-responses": "gpt-5.5",
  "openai-chat": "deepseek:deepseek-v4-pro",
  "google-generate": "gemini-3.8-flash",
};

/** Nothing to add up: mull's last event carries the whole answer. */
async function readMull(
  wire: WireId,
  fetch: Fetch | undefined,
  baseUrl?: string,
  onFirst?: () => void,
): Promise<Tally> {
  const seen = { thinking: 0, text: 0, input: 0 };
  let parts: readonly AssistantPart[] = [];
  const stream = streamChat(
    modelOf[wire],
    { messages: [{ role: "user", parts: [{ type: "text", text: "Hi." }] }] },
    {
      apiKey: "bench-key",
      ...(fetch !== undefined && { fetch }),
      ...(baseUrl !== undefined && { baseUrl }),
    },
  );
  for await (const event of stream) {
    if (event.type === "thinking") {
      if (seen.thinking === 0) onFirst?.();
      seen.thinking += event.delta.length;
    } else if (event.type === "text") seen.text += event.delta.length;
    else if (event.type === "tool-input") seen.input += event.delta.length;
    else if (event.type === "finish") parts = event.reply.message.parts;
  }
  const whole = {
    thinking: joinTexts(parts, "thinking").length,
    text: joinTexts(parts, "text").length,
    input: seen.input,
  };
  if (whole.thinking !== seen.thinking || whole.text !== seen.text) {
    throw new Error(`${wire}: the deltas do not add up to the answer`);
  }
  return whole;
}

const joinTexts = (parts: readonly AssistantPart[], type: "thinking" | "text"): string =>
  parts.map((part) => (part.type === type ? part.text : "")).join("");

export const mull: Contestant = { name: "mull", kind: "mull", wires: everyWire, read: readMull };

/** Mull with its own way of sending, which it uses where it is given no `fetch`. */
export const mullByItself: Contestant = {
  ...mull,
  read: (wire, _fetch, baseUrl, onFirst) => readMull(wire, undefined, baseUrl, onFirst),
};
