import { emulate } from "@mull/emulator";
import { Agent } from "mull";

const agent = new Agent("claude-opus-5-5/low", { fetch: emulate(), apiKey: "simulated" });

let seen = "";
for await (const { text } of agent.sendStream("What are the first ten primes?")) {
  seen += text ?? "";
  if (seen.length > 20) break; // stops the request; a `signal` does it from elsewhere
}
console.log(`stopped after: ${seen}`);

const { text } = await agent.resumeStream().result(); // the same turn, without a new question
console.log(text.split("\n")[0]);
console.log(agent.history.messages.map(({ role }) => role));
