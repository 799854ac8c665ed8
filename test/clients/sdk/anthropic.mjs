import Anthropic from "@anthropic-ai/sdk";
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

const client = new Anthropic({ maxRetries: 1 });
const image = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: task === "image" ? imageData() : "" },
};
const messages = [
  {
    role: "user",
    content: [...(task === "image" ? [image] : []), { type: "text", text: question }],
  },
];
await loop(async () => {
  const stream = client.messages.stream(
    {
      model,
      max_tokens: 8000,
      thinking: { type: "adaptive", display: "summarized" },
      messages,
      tools: tools.map(({ name, description }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    },
    { signal: leaving.signal },
  );
  stream.on("text", arrived);
  const { content } = await stream.finalMessage();
  messages.push({ role: "assistant", content });
  const calls = content.filter(({ type }) => type === "tool_use");
  messages.push({
    role: "user",
    content: calls.map(({ id, name }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: resultOf(name),
    })),
  });
  return calls.length === 0;
});
