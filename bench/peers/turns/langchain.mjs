import { ChatAnthropic } from "@langchain/anthropic";
export const ask = async (apiKey, prompt, write) => {
  const model = new ChatAnthropic({ apiKey, model: "claude-opus-5-5" });
  for await (const { content } of await model.stream(prompt))
    for (const { thinking, text } of typeof content === "string" ? [{ text: content }] : content)
      if (thinking || text) write(thinking ?? text);
};
