import { emulate } from "@mull/emulator";
import { Agent } from "mull";

const fetch = emulate();
fetch.fault({ faults: "status=529", when: { model: "claude-opus-5-5" } }); // Claude is down

const agent = new Agent("claude-opus-5-5/high", {
  fetch,
  apiKey: "simulated",
  sleep: () => Promise.resolve(), // do not wait between retries here
  fallback: ["gpt-6-sol/high", "gemini-3.8-flash/high"],
  budget: { dollars: 5, ms: 60_000 },
});
const { text, receipt } = await agent.send("What is 23 * 47?");

console.log(`${receipt.plan.model}: ${text}`);
for (const { model, reason } of receipt.insteadOf ?? []) console.log(`not ${model}: ${reason}`);
