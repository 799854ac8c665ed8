import { tool, type ChatRequest, type JsonObject, type Message, type Tool } from "mull";

const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const model = (text: string): Message => ({ role: "assistant", parts: [{ type: "text", text }] });

const weatherSchema: JsonObject = {
  type: "object",
  properties: { location: { type: "string", description: "City, e.g. Seattle" } },
  required: ["location"],
};

/** The weather tool of the documents, with an answer that never changes. */
export const getWeather: Tool = tool({
  name: "get_weather",
  description: "Current weather of a city",
  input: weatherSchema,
  run: (input: { readonly location: string }) => `14 °C and light rain in ${input.location}`,
});

/** The requests of the contract suites, by name. Each provider is asked the same. */
export const requests = {
  /** R309 */
  simpleText: { messages: [user("What is 2+2?")] },
  /** R310 */
  toolCall: { messages: [user("What is the weather in Seattle?")], tools: [getWeather.spec] },
  twoToolCalls: {
    messages: [user("Compare the weather in Paris and London.")],
    tools: [getWeather.spec],
  },
  /** R311 */
  thinkingMed: { messages: [user("What is 15% of 240?")], level: "med" },
  /** R312 */
  thinkingHigh: { messages: [user("What is 23 * 47?")], level: "high" },
  /** R313 */
  multiTurn: {
    messages: [user("What is 2+2?"), model("2+2 is 4."), user("What did I ask you before?")],
  },
} as const satisfies Readonly<Record<string, ChatRequest>>;

/** R314: no provider serves a model of this name. */
export const invalidModel = {
  anthropic: "claude-nonexistent-9",
  openai: "gpt-nonexistent-9",
  google: "gemini-nonexistent-9",
} as const;

/** The models the documents ask; some were never served under these names. */
export const documentModels = {
  anthropic: "claude-sonnet-4-5",
  openai: "gpt-5-mini",
  google: "gemini-3.0-flash",
} as const;

export const ask = (text: string, more: Omit<ChatRequest, "messages"> = {}): ChatRequest => ({
  ...more,
  messages: [user(text)],
});
