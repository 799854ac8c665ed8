import { createAnthropic } from "@ai-sdk/anthropic";
import { emulate } from "@mull/emulator";
import { generateText, type ModelMessage } from "ai";
import { repairingFetch } from "mull/rules";

const service = emulate(); // leave it out, and the global fetch asks Anthropic itself

const ourFetch = repairingFetch({
  fetch: service,
  onRepair: ({ repairs }) =>
    repairs.forEach(({ rule, detail }) => console.log(`${rule}: ${detail}`)),
});

// GPT began this tool loop, so there is no thought of Claude's before the call.
const call = { toolCallId: "call_1", toolName: "weather" };
const messages: ModelMessage[] = [
  { role: "user", content: "Weather in Oslo?" },
  {
    role: "assistant",
    content: [
      { type: "text", text: "I look it up." },
      { type: "tool-call", ...call, input: { city: "Oslo" } },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", ...call, output: { type: "text", value: "4 °C" } }],
  },
];

for (const fetch of [service, ourFetch]) {
  const anthropic = createAnthropic({ apiKey: "simulated", fetch });
  const answer = generateText({
    model: anthropic("claude-haiku-4-5"),
    messages,
    providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 2000 } } },
  });
  console.log(await answer.then(({ text }) => text, String));
}
