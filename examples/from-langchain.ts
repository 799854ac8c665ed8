import { emulate } from "@mull/emulator";
import { Agent, History, type JsonObject, type Message } from "mull";

/** What `mapChatMessagesToStoredMessages` of LangChain writes, as far as it is needed here. */
interface Stored {
  readonly type: string;
  readonly data: {
    readonly content: string | readonly { readonly type: string; readonly text?: string }[];
    readonly tool_calls?: readonly { id: string; name: string; args: JsonObject }[];
    readonly tool_call_id?: string;
    readonly name?: string;
  };
}

const wordsOf = ({ content }: Stored["data"]): string =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");

/** Words, calls and results. The conversation continues without the thoughts. */
function toMessage({ type, data }: Stored): Message {
  const text = wordsOf(data);
  const words = text === "" ? [] : [{ type: "text", text } as const];
  if (type === "human") return { role: "user", parts: words };
  if (type === "system") return { role: "system", parts: words };
  if (type === "tool") {
    const { tool_call_id: callId = "", name = "" } = data;
    return { role: "tool", parts: [{ type: "tool-result", callId, name, output: text }] };
  }
  const calls = (data.tool_calls ?? []).map(
    ({ id, name, args }) => ({ type: "tool-call", id, name, input: args }) as const,
  );
  return { role: "assistant", parts: [...words, ...calls] };
}

const id = "call_1";
const stored: readonly Stored[] = [
  { type: "human", data: { content: "Weather in Oslo?" } },
  {
    type: "ai",
    data: { content: "", tool_calls: [{ id, name: "weather", args: { city: "Oslo" } }] },
  },
  { type: "tool", data: { content: "4 °C", tool_call_id: id, name: "weather" } },
  { type: "ai", data: { content: "It is 4 °C in Oslo." } },
];
const agent = new Agent("claude-haiku-4-5/med", {
  history: History.from(stored.map(toMessage)),
  fetch: emulate(),
  apiKey: "simulated",
});
const { text, receipt } = await agent.send("What is 23 * 47?");
console.log(text.split("\n")[0], `${receipt.changes.length} changes were needed`);
