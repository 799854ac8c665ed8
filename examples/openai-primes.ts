import { emulate } from "@mull/emulator";
import { Agent } from "mull";

const agent = new Agent("openai-responses:gpt-6-sol/med", {
  fetch: emulate(),
  apiKey: "simulated",
  showThinking: "detailed",
});
const result = await agent.send("What are the first ten primes?");
console.log("[summary]", result.thinking);
console.log("[answer]", result.text);
console.log(
  `${result.usage.thinking ?? "unknown"} thinking tokens, ${result.usage.thinkingSource ?? "not reported"}`,
);
