import { chat } from "@tanstack/ai";
import { createAnthropicChat } from "@tanstack/ai-anthropic";
export const ask = async (key, content, write) => {
  for await (const event of chat({
    adapter: createAnthropicChat("claude-opus-5-5", key),
    messages: [{ role: "user", content }],
  }))
    if (event.delta) write(event.delta);
};
