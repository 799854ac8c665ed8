import { emulate } from "@mull/emulator";
import { Agent, tool } from "mull";

const searchWeb = tool<{ query: string }>({
  name: "searchWeb",
  description: "Searches the web",
  input: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  run: ({ query }) => `${query}: stocks closed mixed, bitcoin rose`,
});

const agent = new Agent("gpt-6-sol/high", {
  tools: [searchWeb],
  fetch: emulate(),
  apiKey: "simulated",
});
for await (const chunk of agent.sendStream("okay - what's going on in the markets today?")) {
  // The tool has run, its result is in, and another vendor finishes the turn.
  if (chunk.event.type === "tool-result") agent.use("claude-haiku-4-5/med");
  if (chunk.event.type === "step") {
    const { receipt, message } = chunk.event.result;
    console.log(
      `step ${chunk.event.step}: ${message.origin?.model}, thinking ${receipt.plan.applied}`,
    );
    for (const note of receipt.notes) console.log(`  note: ${note.message}`);
    for (const change of receipt.withheld) console.log(`  withheld: ${change.detail}`);
  }
}

agent.use("gpt-6-sol/high"); // back again: its own sealed thoughts go with the request
const back = await agent.send("And what about crypto specifically?");
console.log(back.text.split("\n")[0]);
