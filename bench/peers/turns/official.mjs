import Anthropic from "@anthropic-ai/sdk";
export const ask = async (apiKey, content, write) => {
  const stream = await new Anthropic({ apiKey }).messages.create({
    model: "claude-opus-5-5",
    max_tokens: 16000,
    stream: true,
    messages: [{ role: "user", content }],
  });
  for await (const event of stream)
    if (event.type === "content_block_delta") write(event.delta.text ?? event.delta.thinking);
};
