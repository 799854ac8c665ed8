// Plain JavaScript: these libraries are installed apart, so their types are not at hand.
/** What every library is asked, and how much of an answer it has read. */
export const key = "bench-key";
export const prompt = "Hi.";
export const schema = {
  type: "object",
  properties: { note: { type: "string" } },
  required: ["note"],
  additionalProperties: false,
};
export const models = {
  "anthropic-messages": "claude-opus-4-5",
  "openai-responses": "gpt-5",
  "openai-chat": "gpt-5",
  "google-generate": "gemini-2.5-pro",
};
export const everyWire = Object.keys(models);
export const hosts = {
  "anthropic-messages": "https://api.anthropic.com",
  "openai-responses": "https://api.openai.com/v1",
  "openai-chat": "https://api.openai.com/v1",
  "google-generate": "https://generativelanguage.googleapis.com",
};
export const nothing = () => ({ thinking: "", text: "", input: "" });
export const lengths = (got) => ({
  thinking: got.thinking.length,
  text: got.text.length,
  input: got.input.length,
});

/** The tool that the histories call. */
export const look = {
  name: "look",
  description: "Looks something up.",
  parameters: { type: "object", properties: {} },
};

/** Part of a message by its type. */
export const partOf = ({ parts }, type) => parts.find((part) => part.type === type);
