import { calls, emulate, says, script } from "@mull/emulator";
import { Agent, tool, type AgentOptions } from "mull";

const pay = tool<{ readonly sum: number }>({
  name: "pay",
  input: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  needsApproval: ({ sum }) => sum > 100,
  run: ({ sum }) => `${sum} paid`,
});
const answers = script({}, [calls("pay", { sum: 500 })], [says("I left it unpaid.")]);
const options: AgentOptions = {
  fetch: emulate({ scripts: [answers] }),
  apiKey: "simulated",
  tools: [pay],
};

const agent = new Agent("claude-opus-5-5/low", options);
const { finish } = await agent.send("Pay the invoice.");
const saved = JSON.stringify(agent); // into a file, or a database
console.log(finish.reason);

// Minutes later, in another process:
const later = Agent.restore(saved, options);
for (const { call, why } of await later.pendingCalls()) {
  console.log(`${why}: ${call.name} ${JSON.stringify(call.input)}`);
  later.decide(call.id, { refuse: "ask again in January" });
}
const { text } = await later.resumeStream().result();
console.log(text);
