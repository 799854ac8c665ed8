import { emulate } from "@mull/emulator";
import { Agent, compact } from "mull";

const options = { fetch: emulate(), apiKey: "simulated" };
const agent = new Agent("claude-haiku-4-5/low", options);
for (const question of ["What is 23 * 47?", "And 12 * 12?", "What was my first question?"])
  await agent.send(question);

const { history, dropped } = await compact(agent.history, {
  keepTurns: 1,
  summarize: (messages) => `${messages.length} messages about sums.`, // or model: "claude-haiku-4-5"
});
console.log(`${dropped.messages} messages became a summary`);

agent.history = history;
const { text } = await agent.send("What is 2 + 2?");
console.log(text);
