import { getModel, streamAnthropic } from "@mariozechner/pi-ai";
export const ask = async (apiKey, content, write) => {
  for await (const event of streamAnthropic(
    getModel("anthropic", "claude-opus-4-5"),
    { messages: [{ role: "user", content, timestamp: 0 }] },
    { apiKey },
  ))
    if (event.delta) write(event.delta);
};
