import { streamChat } from "mull";

export const ask = async (apiKey, text, write) => {
  const messages = [{ role: "user", parts: [{ type: "text", text }] }];
  for await (const event of streamChat("claude-opus-5-5/high", { messages }, { apiKey })) {
    if (event.type === "thinking" || event.type === "text") write(event.delta);
  }
};
