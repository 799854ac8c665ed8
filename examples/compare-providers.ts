import { emulate } from "@mull/emulator";
import { Agent } from "mull";

const question = "What does $10,000 become at 5% compound interest after 10 years?";
for (const model of ["claude-opus-5-5/high", "gpt-6-sol/high"]) {
  const agent = new Agent(model, { fetch: emulate(), apiKey: "simulated" });
  const { text, thinking, usage } = await agent.send(question);
  const estimate = Math.round(thinking.length / 4);
  console.log(`${model}: ${text.split("\n")[0]}`);
  console.log(
    `  about ${estimate} tokens of thinking shown, ${usage.thinking ?? "unknown"} counted by the service`,
  );
}
