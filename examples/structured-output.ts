import { emulate } from "@mull/emulator";
import { Agent } from "mull";
import { z } from "zod";

const agent = new Agent("gpt-6-sol/low", {
  fetch: emulate(),
  apiKey: "simulated",
  output: { name: "sum", schema: z.object({ sum: z.number() }) },
});
const stream = agent.sendStream("What is 23 * 47?");
for await (const partial of stream.objects()) console.log(partial.sum ?? "…");

const { object } = await stream.result();
console.log(object); // { sum: number } | undefined, and checked
