import { emulate } from "@mull/emulator";
import { Agent } from "mull";

// An explicit budget instead of a level. Thinking counts toward the output limit, is billed as
// output, and is billed again as input when it is replayed.
const agent = new Agent("anthropic:claude-haiku-4-5", {
  fetch: emulate(),
  apiKey: "simulated",
  maxOutputTokens: 16_000,
  thinkingBudget: 8000,
});

let characters = 0;
for await (const chunk of agent.sendStream("Explain quantum entanglement simply.")) {
  characters += chunk.thinking?.length ?? 0;
  if (chunk.text) process.stdout.write(chunk.text);
}
console.log(`\n${characters} characters of thinking`);
