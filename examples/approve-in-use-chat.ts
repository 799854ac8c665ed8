import { calls, emulate, says, script } from "@mull/emulator";
import { decisionsIn, fromUIMessages, toUIStream } from "@mull/ui-messages";
import type { UIChunk, UIMessage } from "@mull/ui-messages";
import { Agent, History, tool } from "mull";

const pay = tool({ name: "pay", needsApproval: true, run: () => "paid" });
const answers = script({}, [calls("pay", {}, { id: "call_1" })], [says("I left it unpaid.")]);
const options = { fetch: emulate({ scripts: [answers] }), apiKey: "simulated", tools: [pay] };

/** What a route does with the messages of `useChat`: continues from a question, or from approvals. */
function answer(messages: readonly UIMessage[]): AsyncGenerator<UIChunk> {
  const history = History.from(fromUIMessages(messages));
  const agent = new Agent("claude-opus-5-5/low", { ...options, history });
  for (const { callId, decision } of decisionsIn(messages)) agent.decide(callId, decision);
  return toUIStream(agent.resumeStream().events());
}

const question: UIMessage = { id: "1", role: "user", parts: [{ type: "text", text: "Pay it." }] };
for await (const chunk of answer([question]))
  if (chunk.type === "tool-approval-request") console.log(chunk);

// On the page, `addToolApprovalResponse` of `useChat` notes what somebody says of the call:
const approval = { id: "call_1", approved: false, reason: "ask again in January" };
const call = { type: "tool-pay", toolCallId: "call_1", input: {} } as const;
const decided: UIMessage = {
  id: "2",
  role: "assistant",
  parts: [{ ...call, state: "approval-responded", approval }],
};
for await (const chunk of answer([question, decided]))
  if (chunk.type === "text-delta" || chunk.type === "tool-output-denied") console.log(chunk);
