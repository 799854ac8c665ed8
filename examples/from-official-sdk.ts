import { emulate } from "@mull/emulator";
import { Agent, History, type JsonObject } from "mull";
import { mirrors } from "mull/wire";

// What a program with Anthropic's SDK has of a conversation: its last request and the answer.
const body: JsonObject = {
  model: "claude-opus-5-5",
  max_tokens: 2000,
  messages: [
    { role: "user", content: "What is 23 * 47?" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "920 and 161.", signature: "c2lnbmF0dXJl" },
        { type: "text", text: "1,081" },
      ],
    },
  ],
};
const { messages } = mirrors["anthropic-messages"].decodeRequest({
  path: "/v1/messages",
  headers: {},
  body,
});

const agent = new Agent("claude-opus-5-5/med", {
  history: History.from(messages),
  fetch: emulate({ foreignSeals: "accept" }),
  apiKey: "simulated",
});
const own = await agent.send("What is 15% of 1,081?");
console.log(own.text.split("\n")[0], `${own.receipt.withheld.length} thoughts withheld`);

agent.use("gpt-6-sol/low");
const other = await agent.send("And 20%?");
console.log(other.text.split("\n")[0], `${other.receipt.withheld.length} thoughts withheld`);
