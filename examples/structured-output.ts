import { emulate } from "@mull/emulator";
import { Agent } from "mull";

const agent = new Agent("gpt-6-sol/low", {
  fetch: emulate(),
  apiKey: "simulated",
  output: {
    name: "sum",
    schema: {
      type: "object",
      properties: { sum: { type: "number" } },
      required: ["sum"],
      additionalProperties: false,
    },
  },
});
const { object } = await agent.send("What is 23 * 47?");
console.log(object); // unknown: check it as you would check any input
