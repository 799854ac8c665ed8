import { createAnthropic } from "@ai-sdk/anthropic";
import { emulate } from "@mull/emulator";
import { generateText, type ModelMessage } from "ai";
import { repair, type JsonObject } from "mull";

const service = emulate(); // the global fetch asks Anthropic itself

/** Mends what the service would refuse. Any client that takes a `fetch` can have it. */
const mendingFetch: typeof fetch = (url, init) => {
  const body = JSON.parse(init?.body as string) as JsonObject;
  const headers = Object.fromEntries(new Headers(init?.headers));
  const mended = repair({ wire: "anthropic-messages", body, headers });
  for (const { rule, detail } of mended.repairs) console.log(`${rule}: ${detail}`);
  return service(url, { ...init, body: JSON.stringify(mended.body) });
};

// GPT began this tool loop, so no thought of Claude's stands in front of the call.
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

for (const fetch of [service, mendingFetch]) {
  const anthropic = createAnthropic({ apiKey: "simulated", fetch });
  const answer = generateText({
    model: anthropic("claude-haiku-4-5"),
    messages,
    providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 2000 } } },
  });
  console.log(await answer.then(({ text }) => text, String));
}
