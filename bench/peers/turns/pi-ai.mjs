import { createModels } from "@earendil-works/pi-ai";
import { anthropicProvider } from "@earendil-works/pi-ai/providers/anthropic";
export const ask = async (apiKey, content, write) => {
  const models = createModels();
  models.setProvider(anthropicProvider());
  const model = models.getModel("anthropic", "claude-opus-5-5");
  const context = { messages: [{ role: "user", content, timestamp: 0 }] };
  for await (const event of models.stream(model, context, { apiKey }))
    if (event.type === "thinking_delta" || event.type === "text_delta") write(event.delta);
};
