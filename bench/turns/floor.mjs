import { createParser } from "eventsource-parser";

/** One turn with Anthropic without a library. */
export const ask = async (key, content, write) => {
  const base = process.env.ANTHROPIC_BASE_URL ?? "https://api.anthropic.com";
  const response = await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": key,
    },
    body: JSON.stringify({
      model: "claude-opus-5-5",
      max_tokens: 16_000,
      stream: true,
      messages: [{ role: "user", content }],
    }),
  });
  const parser = createParser({
    onEvent: ({ data }) => {
      const { delta } = JSON.parse(data);
      const said = delta?.thinking ?? delta?.text;
      if (said) write(said);
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of response.body) parser.feed(decoder.decode(bytes, { stream: true }));
};
