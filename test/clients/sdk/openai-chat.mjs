import OpenAI from "openai";
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

const client = new OpenAI({ maxRetries: 1 });
const image = {
  type: "image_url",
  image_url: { url: task === "image" ? `data:image/png;base64,${imageData()}` : "" },
};
const messages = [
  {
    role: "user",
    content: [...(task === "image" ? [image] : []), { type: "text", text: question }],
  },
];
await loop(async () => {
  const stream = client.chat.completions.stream(
    {
      model,
      messages,
      reasoning_effort: "high",
      tools: tools.map(({ name, description }) => ({
        type: "function",
        function: { name, description, parameters },
      })),
    },
    { signal: leaving.signal },
  );
  stream.on("content", arrived);
  const { choices } = await stream.finalChatCompletion();
  const { message } = choices[0];
  messages.push(message);
  const calls = message.tool_calls ?? [];
  for (const {
    id,
    function: { name },
  } of calls)
    messages.push({ role: "tool", tool_call_id: id, content: resultOf(name) });
  return calls.length === 0;
});
