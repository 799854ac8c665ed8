import { ChatAnthropic } from "@langchain/anthropic";
export const ask = async (apiKey, prompt, write) => {
  for await (const chunk of await new ChatAnthropic({ apiKey, model: "claude-opus-5-5" }).stream(
    prompt,
  ))
    write(chunk.text);
};
