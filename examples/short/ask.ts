import { Agent } from "mull";

const agent = new Agent("claude-opus-5-5/high"); // model/level; the key is in ANTHROPIC_API_KEY
const { text, thinking, cost } = await agent.send("What is 23 * 47?");
console.log(text, `${thinking.length} characters of thinking, $${cost?.total.toFixed(4)}`);
