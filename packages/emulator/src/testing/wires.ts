import type { Emulator } from "../emulate.ts";

/** How to ask each service for a streamed or a whole answer. */
export interface TestWire {
  readonly name: string;
  readonly url: string;
  readonly streamUrl?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (text: string) => Readonly<Record<string, unknown>>;
}

export const testWires: readonly TestWire[] = [
  {
    name: "anthropic",
    url: "http://x/v1/messages",
    headers: { "x-api-key": "k", "anthropic-version": "2023-06-01" },
    body: (text) => ({
      model: "claude-opus-5-5",
      max_tokens: 4000,
      thinking: { type: "adaptive", display: "summarized" },
      messages: [{ role: "user", content: text }],
    }),
  },
  {
    name: "responses",
    url: "http://x/v1/responses",
    headers: { authorization: "Bearer k" },
    body: (text) => ({
      model: "gpt-6-sol",
      input: text,
      reasoning: { effort: "medium", summary: "auto" },
    }),
  },
  {
    name: "chat",
    url: "http://x/v1/chat/completions",
    headers: { authorization: "Bearer k" },
    body: (text) => ({ model: "gpt-5.1", messages: [{ role: "user", content: text }] }),
  },
  {
    name: "google",
    url: "http://x/v1beta/models/gemini-3.8-flash:generateContent",
    streamUrl: "http://x/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
    headers: { "x-goog-api-key": "k" },
    body: (text) => ({
      contents: [{ role: "user", parts: [{ text }] }],
      generationConfig: { thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true } },
    }),
  },
];

export const send = (
  fetch: Emulator,
  wire: TestWire,
  stream: boolean,
  text: string,
  init: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
): Promise<Response> =>
  fetch(stream ? (wire.streamUrl ?? wire.url) : wire.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...wire.headers, ...init.headers },
    ...(init.signal !== undefined && { signal: init.signal }),
    body: JSON.stringify({
      ...wire.body(text),
      ...(stream && wire.streamUrl === undefined && { stream: true }),
    }),
  });

/** Reads a body to its end, or to where it breaks. */
export const readToEnd = async (
  response: Response,
): Promise<{ readonly text: string; readonly isBroken: boolean }> => {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { text, isBroken: false };
  } catch {
    return { text, isBroken: true };
  }
};
