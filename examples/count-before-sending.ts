import { emulate } from "@mull/emulator";
import { countTokens, type ChatRequest } from "mull";

const request: ChatRequest = {
  system: "You are a patient teacher.",
  messages: [{ role: "user", parts: [{ type: "text", text: "Why is the sky blue?" }] }],
};

for (const model of ["claude-opus-5-5/high", "gpt-6-sol/high", "deepseek-v4-pro/high"]) {
  const options = { fetch: emulate(), apiKey: "simulated" };
  const { tokens, source, reason = "exact" } = await countTokens(model, request, options);
  console.log(`${model}: ${tokens} tokens (${source}: ${reason})`);
}
