/** One turn with thinking, as small as it gets: what a page takes on, and what a cold process waits for. */
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
