import { emulate } from "@mull/emulator";
import { Agent, type Observation } from "mull";

const startedAt = Date.now();

function observe(seen: Observation): void {
  const ms = seen.at - startedAt;
  if (seen.type === "end") console.log(ms, "end", seen.receipt?.usage?.total, "tokens");
  else console.log(ms, seen.type);
}

const agent = new Agent("gpt-6-sol/high", { fetch: emulate(), apiKey: "simulated", observe });
const { text } = await agent.send("What is 23 * 47?");
console.log(text);
