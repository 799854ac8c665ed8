import { Agent, tool } from "mull";

const weather = tool<{ city: string }>({
  name: "weather",
  description: "The weather of a city",
  input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: ({ city }) => `${city}: 4 °C`,
});
const agent = new Agent("gpt-6-sol/high", { tools: [weather] });
for await (const { text, event } of agent.sendStream("What is the weather in Oslo?")) {
  if (text) process.stdout.write(text);
  if (event.type === "tool-result") agent.use("claude-haiku-4-5/med"); // finishes the turn
}
