import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { emulate } from "@mull/emulator";
import { play, readCassette, record, type CassetteFetch } from "@mull/vcr";
import OpenAI from "openai";
import { afterAll, describe, expect, test } from "vitest";

const scratch = mkdtempSync(join(tmpdir(), "mull-sdks-"));
afterAll(() => rmSync(scratch, { recursive: true }));

type Ask = (fetch: CassetteFetch) => Promise<{ readonly thinking: string; readonly text: string }>;

const question = "What is 23 * 47?";
const messages = [{ role: "user" as const, content: question }];
const apiKey = "an-account-of-the-emulator";

const claude = {
  model: "claude-opus-5-5",
  max_tokens: 8000,
  thinking: { type: "adaptive" as const, display: "summarized" as const },
  messages,
};
const anthropic = (fetch: CassetteFetch) => new Anthropic({ apiKey, fetch, maxRetries: 0 });
const readBlocks = (content: readonly Anthropic.ContentBlock[]) => ({
  thinking: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
  text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
});

const gpt = {
  model: "gpt-5-mini",
  input: question,
  reasoning: { effort: "medium" as const, summary: "auto" as const },
};
const openai = (fetch: CassetteFetch) => new OpenAI({ apiKey, fetch, maxRetries: 0 });
const readItems = (output: readonly OpenAI.Responses.ResponseOutputItem[], text: string) => ({
  thinking: output
    .flatMap((item) => (item.type === "reasoning" ? item.summary.map((part) => part.text) : []))
    .join(""),
  text,
});

const gemini = {
  model: "gemini-3.8-flash",
  contents: question,
  config: { thinkingConfig: { includeThoughts: true } },
};
const google = (fetch: CassetteFetch) => new GoogleGenAI({ apiKey, httpOptions: { fetch } });
const readParts = (parts: readonly { readonly thought?: boolean; readonly text?: string }[]) => ({
  thinking: parts.map(({ thought, text }) => (thought === true ? (text ?? "") : "")).join(""),
  text: parts.map(({ thought, text }) => (thought === true ? "" : (text ?? ""))).join(""),
});

const clients: readonly { readonly name: string; readonly shows: boolean; readonly ask: Ask }[] = [
  {
    name: "@anthropic-ai/sdk, whole",
    shows: true,
    ask: async (fetch) => readBlocks((await anthropic(fetch).messages.create(claude)).content),
  },
  {
    name: "@anthropic-ai/sdk, streamed",
    shows: true,
    ask: async (fetch) => {
      const stream = anthropic(fetch).messages.stream(claude);
      return readBlocks((await stream.finalMessage()).content);
    },
  },
  {
    name: "openai responses, whole",
    shows: true,
    ask: async (fetch) => {
      const { output, output_text } = await openai(fetch).responses.create(gpt);
      return readItems(output, output_text);
    },
  },
  {
    name: "openai responses, streamed",
    shows: true,
    ask: async (fetch) => {
      const stream = openai(fetch).responses.stream(gpt);
      const { output, output_text } = await stream.finalResponse();
      return readItems(output, output_text);
    },
  },
  {
    name: "openai chat, whole",
    shows: false,
    ask: async (fetch) => {
      const asked = { model: gpt.model, messages };
      const { choices } = await openai(fetch).chat.completions.create(asked);
      return { thinking: "", text: choices[0]?.message.content ?? "" };
    },
  },
  {
    name: "openai chat, streamed",
    shows: false,
    ask: async (fetch) => {
      const asked = { model: gpt.model, messages, stream: true as const };
      let text = "";
      for await (const { choices } of await openai(fetch).chat.completions.create(asked)) {
        text += choices[0]?.delta.content ?? "";
      }
      return { thinking: "", text };
    },
  },
  {
    name: "@google/genai, whole",
    shows: true,
    ask: async (fetch) => {
      const { candidates } = await google(fetch).models.generateContent(gemini);
      return readParts(candidates?.[0]?.content?.parts ?? []);
    },
  },
  {
    name: "@google/genai, streamed",
    shows: true,
    ask: async (fetch) => {
      const stream = await google(fetch).models.generateContentStream(gemini);
      const parts: { thought?: boolean; text?: string }[] = [];
      for await (const { candidates } of stream) {
        parts.push(...(candidates?.[0]?.content?.parts ?? []));
      }
      return readParts(parts);
    },
  },
];

describe("R268 R269 the official clients record the emulator and replay it", () => {
  test.each(clients)("$name", async ({ name, shows, ask }) => {
    const cassette = join(scratch, `${name.replaceAll(/\W+/g, "-")}.jsonl`);
    const recorder = record({ cassette, fetch: emulate({ seed: name }) });
    const live = await ask(recorder);
    await recorder.done();
    expect(live.text).toContain("1,081");
    expect(live.thinking !== "").toBe(shows);
    expect(readCassette(cassette).exchanges[0]?.response?.headers).toHaveProperty(
      "x-mull-simulated",
    );
    for (const chunkSize of [1, 11, 65_536]) {
      const player = play(cassette, { chunkSize });
      expect(await ask(player)).toEqual(live);
      await player.done();
    }
  });
});
