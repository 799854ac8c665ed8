import { anthropicMessages } from "mull/anthropic";
import { streamTurn } from "mull/lean";

/** One turn with thinking, as small as it gets. */
export async function ask(key: string, text: string, write: (text: string) => void): Promise<void> {
  const events = streamTurn(
    {
      wire: anthropicMessages,
      baseUrl: "https://api.anthropic.com",
      headers: { "x-api-key": key },
    },
    {
      model: "claude-opus-5-5",
      messages: [{ role: "user", parts: [{ type: "text", text }] }],
      thinking: { type: "effort", effort: "high" },
      maxOutputTokens: 16_000,
    },
  );
  for await (const event of events) {
    if (event.type === "thinking" || event.type === "text") write(event.delta);
  }
}
