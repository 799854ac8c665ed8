/** One turn with thinking in the smallest program: its size on a page, and its time in a cold process. */
import { anthropicMessages } from "mull/anthropic";
import { streamTurn } from "mull/lean";

export const ask = async (key, text, write) => {
  const service = {
    wire: anthropicMessages,
    baseUrl: "https://api.anthropic.com",
    headers: { "x-api-key": key },
  };
  const events = streamTurn(service, {
    model: "claude-opus-5-5",
    messages: [{ role: "user", parts: [{ type: "text", text }] }],
    thinking: { type: "effort", effort: "high" },
    maxOutputTokens: 16_000,
  });
  for await (const event of events) {
    if (event.type === "thinking" || event.type === "text") write(event.delta);
  }
};
