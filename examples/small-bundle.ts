import { emulate } from "@mull/emulator";
import { anthropicMessages } from "mull/anthropic";
import { streamTurn } from "mull/lean";

// One request on one wire: no catalogue, no dial, no history, no rules. What it is told is sent.
const service = {
  wire: anthropicMessages,
  baseUrl: "https://api.anthropic.com",
  headers: { "x-api-key": "simulated" },
};
const events = streamTurn(
  service,
  {
    model: "claude-opus-5-5",
    messages: [{ role: "user", parts: [{ type: "text", text: "What is 23 * 47?" }] }],
    thinking: { type: "effort", effort: "high" },
    maxOutputTokens: 16_000,
  },
  { fetch: emulate() },
);
for await (const event of events) {
  if (event.type === "text") process.stdout.write(event.delta);
}
