import { emulate } from "@mull/emulator";
import { Agent, History } from "mull";

// Leave `offline` out and set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_API_KEY to ask real models.
const offline = { fetch: emulate(), apiKey: "simulated" };

const agent = new Agent("claude-opus-5-5/med", offline);
for await (const chunk of agent.sendStream("What is 23 * 47?")) {
  if (chunk.thinking) process.stderr.write(chunk.thinking);
  if (chunk.text) process.stdout.write(chunk.text);
}

agent.use("gemini-3.8-flash/high"); // another vendor, in the same conversation
const result = await agent.send("What is 15% of 1,081?");
console.log(`\n${result.text}`);
console.log(result.receipt.plan.applied, result.usage.thinking, result.cost?.total);

const saved = JSON.stringify(agent.history); // versioned JSON, seals included
const later = new Agent("gpt-6-sol/low", { ...offline, history: History.parse(saved) });
console.log((await later.send("And 20%?")).text);
