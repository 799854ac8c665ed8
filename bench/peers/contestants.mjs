import { aiSdk, readModel, readText } from "./libraries/ai-sdk.mjs";
import { langchain, read as readLangchain } from "./libraries/langchain.mjs";
import { official, readAnthropic, readGoogle, readOpenai } from "./libraries/official.mjs";
import { pi, read as readPi } from "./libraries/pi-ai.mjs";
import { everyWire, hosts } from "./libraries/question.mjs";
import { read as readTanstack, tanstack } from "./libraries/tanstack.mjs";

/** Some of them only know the global `fetch`. */
const withGlobalFetch = (read) => async (wire, fetch, baseUrl) => {
  const before = globalThis.fetch;
  globalThis.fetch = fetch;
  try {
    return await read(wire, fetch, baseUrl ?? hosts[wire]);
  } finally {
    globalThis.fetch = before;
  }
};

const peer = (name, kind, wires, read) => ({ name, kind, wires, read: withGlobalFetch(read) });

/** The libraries that read streamed answers. */
export const peers = [
  peer("official SDK, raw", "raw", ["anthropic-messages"], readAnthropic),
  peer("official SDK, raw", "raw", ["openai-responses", "openai-chat"], readOpenai),
  peer("official SDK, raw", "raw", ["google-generate"], readGoogle),
  peer("AI SDK, model layer", "unified", everyWire, readModel),
  peer("AI SDK, streamText", "unified", everyWire, readText),
  peer("pi-ai", "unified", everyWire, readPi),
  peer("TanStack AI", "unified", everyWire, readTanstack),
  peer("LangChain.js", "unified", everyWire, readLangchain),
];

/** The libraries that turn their own messages into a request to Anthropic through a public call. */
export const writers = [
  { name: "@anthropic-ai/sdk", ...official },
  { name: "AI SDK", ...aiSdk },
  { name: "pi-ai", ...pi },
  { name: "TanStack AI", ...tanstack },
  { name: "LangChain.js", ...langchain },
];
