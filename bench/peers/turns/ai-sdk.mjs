import { createAnthropic } from "@ai-sdk/anthropic";
import { streamText } from "ai";
export const ask = async (apiKey, prompt, write) => {
  const { fullStream } = streamText({
    model: createAnthropic({ apiKey })("claude-opus-5-5"),
    prompt,
  });
  for await (const part of fullStream)
    if (part.type === "text-delta" || part.type === "reasoning-delta") write(part.text);
};
