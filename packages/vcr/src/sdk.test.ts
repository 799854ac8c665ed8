import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";

import type { Fetch } from "./fetch.ts";
import { play } from "./play.ts";
import { readCassette } from "./read-cassette.ts";
import { record } from "./record.ts";
import { makeDirectory, readEverything, serve } from "./testing/loopback.ts";

const key = ["sk-", "ant-", "api03-not-a-real-key-0001"].join("");
const usage = { input_tokens: 5, output_tokens: 7 };
const words = ["Two", " and", " two", " is", " four", "."];

type Events = readonly (readonly [event: string | undefined, data: unknown])[];

const anthropicMessage = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-5-5",
  content: [
    { type: "thinking", thinking: "2+2", signature: "c2VhbA==" },
    { type: "text", text: words.join("") },
  ],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage,
};
const anthropicEvents: Events = [
  ["message_start", { type: "message_start", message: { ...anthropicMessage, content: [] } }],
  [
    "content_block_start",
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ],
  ...words.map((text) => {
    const delta = { type: "text_delta", text };
    return ["content_block_delta", { type: "content_block_delta", index: 0, delta }] as const;
  }),
  ["content_block_stop", { type: "content_block_stop", index: 0 }],
  [
    "message_delta",
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
  ],
  ["message_stop", { type: "message_stop" }],
];

const chatChunk = (choice: object): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "gpt-5",
  choices: [{ index: 0, finish_reason: null, ...choice }],
});
const chatEvents: Events = [
  ...words.map((content) => [undefined, chatChunk({ delta: { content } })] as const),
  [undefined, chatChunk({ delta: {}, finish_reason: "stop" })],
];
const chatCompletion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-5",
  choices: [
    { index: 0, finish_reason: "stop", message: { role: "assistant", content: words.join("") } },
  ],
};

const candidate = (text: string): object => ({
  candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0 }],
});
const googleEvents: Events = words.map((word) => [undefined, candidate(word)]);

const writeEvents = async (response: ServerResponse, events: Events): Promise<void> => {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "set-cookie": "session=c00kie-1",
  });
  for (const [event, data] of events) {
    response.write(
      `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
    );
    // One delivery each.
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
};

const readJson = async (request: IncomingMessage): Promise<{ readonly stream?: boolean }> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return JSON.parse(Buffer.concat(pieces).toString("utf8"));
};

const routes: readonly {
  readonly path: string;
  readonly whole: unknown;
  readonly events: Events;
}[] = [
  { path: "/v1/messages", whole: anthropicMessage, events: anthropicEvents },
  { path: "/chat/completions", whole: chatCompletion, events: chatEvents },
  { path: "generateContent", whole: candidate(words.join("")), events: [] },
  { path: "streamGenerateContent", whole: {}, events: googleEvents },
];

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const route = routes.find(({ path }) => request.url?.includes(path));
  const { stream } = await readJson(request);
  if (stream === true || request.url?.includes("alt=sse") === true) {
    await writeEvents(response, route?.events ?? []);
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "request-id": "req_1" });
  response.end(JSON.stringify(route?.whole));
};

type Ask = (fetch: Fetch, baseURL: string, apiKey: string) => Promise<string>;
const prompt = [{ role: "user", content: "2+2?" }] as const;

const clients: readonly { readonly name: string; readonly ask: Ask }[] = [
  {
    name: "@anthropic-ai/sdk whole",
    ask: async (fetch, baseURL, apiKey) => {
      const client = new Anthropic({ apiKey, baseURL, fetch, maxRetries: 0 });
      const asked = { model: "claude-opus-5-5", max_tokens: 64, messages: [...prompt] };
      const { content } = await client.messages.create(asked);
      return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    },
  },
  {
    name: "@anthropic-ai/sdk streamed",
    ask: async (fetch, baseURL, apiKey) => {
      const client = new Anthropic({ apiKey, baseURL, fetch, maxRetries: 0 });
      const asked = { model: "claude-opus-5-5", max_tokens: 64, messages: [...prompt] };
      return client.messages.stream(asked).finalText();
    },
  },
  {
    name: "openai whole",
    ask: async (fetch, baseURL, apiKey) => {
      const client = new OpenAI({ apiKey, baseURL, fetch, maxRetries: 0 });
      const asked = { model: "gpt-5", messages: [...prompt] };
      const { choices } = await client.chat.completions.create(asked);
      return choices[0]?.message.content ?? "";
    },
  },
  {
    name: "openai streamed",
    ask: async (fetch, baseURL, apiKey) => {
      const client = new OpenAI({ apiKey, baseURL, fetch, maxRetries: 0 });
      const asked = { model: "gpt-5", messages: [...prompt], stream: true as const };
      let text = "";
      for await (const { choices } of await client.chat.completions.create(asked)) {
        text += choices[0]?.delta.content ?? "";
      }
      return text;
    },
  },
  {
    name: "@google/genai whole",
    ask: async (fetch, baseUrl, apiKey) => {
      const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl, fetch } });
      const asked = { model: "gemini-3.8-flash", contents: "2+2?" };
      return (await client.models.generateContent(asked)).text ?? "";
    },
  },
  {
    name: "@google/genai streamed",
    ask: async (fetch, baseUrl, apiKey) => {
      const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl, fetch } });
      const asked = { model: "gemini-3.8-flash", contents: "2+2?" };
      let text = "";
      for await (const chunk of await client.models.generateContentStream(asked)) {
        text += chunk.text ?? "";
      }
      return text;
    },
  },
];

describe("the official clients through recorder and player", () => {
  test.each(clients)("$name", async ({ ask }) => {
    const directory = await makeDirectory();
    const cassette = join(directory, "sdk.jsonl");
    const address = await serve((request, response) => void answer(request, response));
    const live = record({ cassette, fetch });
    expect(await ask(live, address, key)).toBe("Two and two is four.");
    await live.done();

    expect(readCassette(cassette).exchanges).toMatchObject([{ response: { status: 200 } }]);
    const written = await readEverything(directory);
    expect(written).not.toContain(key);
    expect(written).not.toContain("c00kie");

    for (const chunkSize of [undefined, 1, 7, 4096]) {
      const replay = play(cassette, chunkSize === undefined ? {} : { chunkSize });
      expect(await ask(replay, "http://127.0.0.1:1", "another-key-0002")).toBe(
        "Two and two is four.",
      );
      await replay.done();
    }
  });
});
