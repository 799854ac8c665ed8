import type { JsonObject, WireId } from "mull";

/** A wire with a model of its vendor that thinks, for tables of every pair. */
export interface TestWire {
  readonly wire: WireId;
  readonly model: string;
}

export const testWires: readonly TestWire[] = [
  { wire: "anthropic-messages", model: "claude-opus-5-5" },
  { wire: "openai-responses", model: "gpt-6-sol" },
  { wire: "openai-chat", model: "deepseek-v4-pro" },
  { wire: "google-generate", model: "gemini-3.8-flash" },
];

/** A question in the words of a wire. */
export function question(wire: WireId, model: string, text: string, stream: boolean): Request {
  switch (wire) {
    case "anthropic-messages":
      return post(
        "/v1/messages",
        {
          model,
          max_tokens: 4096,
          stream,
          messages: [{ role: "user", content: text }],
        },
        { "anthropic-version": "2023-06-01" },
      );
    case "openai-responses":
      return post("/v1/responses", { model, store: false, stream, input: text });
    case "openai-chat":
      return post("/v1/chat/completions", {
        model,
        stream,
        ...(stream && { stream_options: { include_usage: true } }),
        messages: [{ role: "user", content: text }],
      });
    case "google-generate": {
      const verb = stream ? "streamGenerateContent?alt=sse" : "generateContent";
      return post(`/v1beta/models/${model}:${verb}`, {
        contents: [{ role: "user", parts: [{ text }] }],
      });
    }
    default:
      return wire satisfies never;
  }
}

export const post = (
  path: string,
  body: JsonObject | string,
  headers: Readonly<Record<string, string>> = {},
): Request =>
  new Request(`http://127.0.0.1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** Keys as the environment has them. */
export const keys = {
  ANTHROPIC_API_KEY: "sk-ant-test-anthropic",
  OPENAI_API_KEY: "sk-test-openai",
  DEEPSEEK_API_KEY: "sk-test-deepseek",
  GEMINI_API_KEY: "AIza-test-google",
} as const;
