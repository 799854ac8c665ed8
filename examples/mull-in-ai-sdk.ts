import { createMull, readReceipt } from "@mull/ai-sdk";
import { emulate } from "@mull/emulator";
import { generateText, jsonSchema, stepCountIs, tool } from "ai-7";

// Without settings, `mull` asks the services, with keys from the environment.
const mull = createMull({ fetch: emulate(), apiKey: "simulated" });
const models = [mull("gpt-6-sol/high"), mull("claude-opus-5-5/med")];

const searchWeb = tool({
  description: "Searches the web",
  inputSchema: jsonSchema<{ query: string }>({
    type: "object",
    properties: { query: { type: "string" } },
    required: ["query"],
  }),
  execute: ({ query }) => `${query}: stocks are up`,
});

const result = await generateText({
  model: models[0]!,
  prompt: "What's going on in the markets today?",
  tools: { searchWeb },
  stopWhen: stepCountIs(5),
  // GPT calls the tool, Claude answers.
  prepareStep: ({ stepNumber }) => ({ model: models[Math.min(stepNumber, 1)]! }),
});
result.steps.forEach(({ model }, at) => console.log(`step ${at}: ${model.modelId}`));
console.log(result.text.split("\n")[0]);
const receipt = readReceipt(result.providerMetadata);
receipt?.withheld.forEach(({ detail }) => console.log(detail));
