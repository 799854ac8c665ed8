import { emulate } from "@mull/emulator";
import { fromUIMessages, toUIMessages, type UIMessage } from "@mull/ui-messages";
import { Agent, History } from "mull";

// What an application built with the AI SDK has in its database. The signature is Anthropic's.
const stored: readonly UIMessage[] = [
  { id: "1", role: "user", parts: [{ type: "text", text: "What is 23 * 47?" }] },
  {
    id: "2",
    role: "assistant",
    parts: [
      {
        type: "reasoning",
        text: "920 and 161.",
        providerMetadata: { anthropic: { signature: "c2lnbmF0dXJl" } },
      },
      { type: "text", text: "1,081" },
    ],
  },
];

// Say which model answered, so that its signature can go back to it.
const history = History.from(fromUIMessages(stored, { origin: { model: "claude-opus-5-5" } }));
const agent = new Agent("claude-opus-5-5/med", {
  history,
  fetch: emulate({ foreignSeals: "accept" }),
  apiKey: "simulated",
});
const result = await agent.send("What is 15% of 1,081?");
console.log(result.text.split("\n")[0]);
console.log(`${result.receipt.withheld.length} thoughts withheld`);
console.log(toUIMessages(agent.history.messages).map(({ role }) => role));
