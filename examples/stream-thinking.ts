import { emulate } from "@mull/emulator";
import { Agent } from "mull";

const agent = new Agent("anthropic:claude-haiku-4-5/med", {
  fetch: emulate(),
  apiKey: "simulated",
});

let thinking = 0;
let answer = 0;
for await (const chunk of agent.sendStream("What is 23 * 47?")) {
  if (chunk.thinking !== undefined) {
    if (thinking === 0) console.log("[thinking]");
    thinking += chunk.thinking.length;
    process.stdout.write(chunk.thinking);
  }
  if (chunk.text !== undefined) {
    if (answer === 0) console.log("\n[answer]");
    answer += chunk.text.length;
    process.stdout.write(chunk.text);
  }
}
console.log(`\n${thinking} characters of thinking, ${answer} of answer`);
