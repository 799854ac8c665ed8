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
  type: "input_image",
  detail: "auto",
  image_url: task === "image" ? `data:image/png;base64,${imageData()}` : "",
};
const input = [
  {
    role: "user",
    content: [...(task === "image" ? [image] : []), { type: "input_text", text: question }],
  },
];
await loop(async () => {
  const stream = client.responses.stream(
    {
      model,
      input,
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
      tools: tools.map(({ name, description }) => ({
        type: "function",
        name,
        description,
        parameters,
        strict: true,
      })),
    },
    { signal: leaving.signal },
  );
  stream.on("response.output_text.delta", ({ delta }) => arrived(delta));
  const { output } = await stream.finalResponse();
  input.push(...output);
  const calls = output.filter(({ type }) => type === "function_call");
  for (const { call_id, name } of calls)
    input.push({ type: "function_call_output", call_id, output: resultOf(name) });
  return calls.length === 0;
});
