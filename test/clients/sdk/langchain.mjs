import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import {
  arrived,
  imageData,
  leaving,
  loop,
  model,
  parameters,
  question,
  resultOf,
  task,
  tools,
} from "./task.mjs";

const [vendor, name] = model.split(":");
const models = {
  anthropic: () =>
    new ChatAnthropic({
      model: name,
      maxRetries: 1,
      maxTokens: 8000,
      thinking: { type: "adaptive", display: "summarized" },
    }),
  openai: () =>
    new ChatOpenAI({
      model: name,
      maxRetries: 1,
      useResponsesApi: true,
      zdrEnabled: true,
      reasoning: { effort: "high", summary: "auto" },
    }),
  google: () =>
    new ChatGoogleGenerativeAI({
      model: name,
      maxRetries: 1,
      baseUrl: process.env.GOOGLE_GEMINI_BASE_URL,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" },
    }),
};
const bound = models[vendor]().bindTools(
  tools.map(({ name: called, description }) => ({
    type: "function",
    function: { name: called, description, parameters },
  })),
);
const image = {
  type: "image_url",
  image_url: { url: task === "image" ? `data:image/png;base64,${imageData()}` : "" },
};
const messages = [
  new HumanMessage({
    content: [...(task === "image" ? [image] : []), { type: "text", text: question }],
  }),
];
await loop(async () => {
  let whole;
  for await (const chunk of await bound.stream(messages, { signal: leaving.signal })) {
    whole = whole === undefined ? chunk : whole.concat(chunk);
    arrived(chunk.text);
  }
  messages.push(whole);
  const calls = whole.tool_calls ?? [];
  for (const call of calls)
    messages.push(
      new ToolMessage({ tool_call_id: call.id, name: call.name, content: resultOf(call.name) }),
    );
  return calls.length === 0;
});
