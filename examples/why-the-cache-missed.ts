import { emulate } from "@mull/emulator";
import { Agent } from "mull";

const rules = "Answer briefly, and never make anything up. ".repeat(200);
const agent = new Agent("claude-haiku-4-5/low", {
  fetch: emulate(),
  apiKey: "simulated",
  system: rules,
  cache: { breakpoints: "1h" },
});

await agent.send("What is 23 * 47?");
for (const level of ["low", "high"] as const) {
  const { cache, cost } = (await agent.use({ level }).send("And 2 + 2?")).receipt;
  const why = cache?.miss === undefined ? "as predicted" : `missed: ${cache.miss.reason}`;
  console.log(`${level}: ${cache?.read} tokens read, ${why}, $${cost?.total.toFixed(4)}`);
}
