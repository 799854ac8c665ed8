import type { Fetch, JsonObject } from "mull";
import { isJsonObject } from "mull/wire";
import { describe, expect, test } from "vitest";

import { openGateway, sentText, sse } from "./testing/set-up.ts";
import { post } from "./testing/wires.ts";

const signature = "c2lnbmVkIGJ5IEdlbWluaQ==";
const chunk = (part: JsonObject, more: JsonObject = {}): string =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts: [part] }, ...more }] })}\n\n`;
const end = { finishReason: "STOP" };

/** Where Gemini signs a text: on its last piece, or on an empty one behind it. */
const answers = {
  "the last piece": [
    chunk({ text: "It is " }),
    chunk({ text: "42.", thoughtSignature: signature }, end),
  ],
  "an empty text": [
    chunk({ text: "It is " }),
    chunk({ text: "42." }),
    chunk({ text: "", thoughtSignature: signature }, end),
  ],
};

const asked: JsonObject = {
  model: "gemini-3.8-flash",
  max_tokens: 4096,
  stream: true,
  thinking: { type: "adaptive" },
};
const question: JsonObject = { role: "user", content: "How much?" };

/** Asks twice, and returns the frames of the first answer and the second request's conversation. */
async function talk(frames: readonly string[], userAgent: string) {
  const sent: string[] = [];
  const fetch: Fetch = (_url, init) => {
    sent.push(sentText(init));
    return Promise.resolve(sse(...frames));
  };
  const { ask, receipts } = openGateway({ fetch });
  const send = async (messages: readonly JsonObject[]): Promise<string> => {
    const body = { ...asked, messages };
    return (await ask(post("/v1/messages", body, { "user-agent": userAgent }))).text();
  };
  const events = [...(await send([question])).matchAll(/^data: (.*)$/gm)].map(
    ([, data = ""]) => JSON.parse(data) as JsonObject,
  );
  const seals = events.flatMap(({ delta }) =>
    isJsonObject(delta) && delta["type"] === "signature_delta" ? [delta["signature"] ?? ""] : [],
  );
  const content = [
    ...seals.map((seal) => ({ type: "thinking", thinking: "", signature: seal })),
    { type: "text", text: "It is 42." },
  ];
  await send([question, { role: "assistant", content }, { role: "user", content: "Sure?" }]);
  return { events, returned: sent[1], lost: receipts[0]?.seals.lost };
}

const returnedParts = {
  "the last piece": [{ text: "It is " }, { text: "42.", thoughtSignature: signature }],
  "an empty text": [{ text: "It is 42." }, { text: "", thoughtSignature: signature }],
};

describe.each(["the last piece", "an empty text"] as const)("what Gemini signs on %s", (where) => {
  const frames = answers[where];

  test.each(["claude-cli/2.1.323 (external, cli)", "pi (linux 6.18; x64)"])(
    "comes back from %s, whose last block stays the text",
    async (client) => {
      const { events, returned, lost } = await talk(frames, client);
      const blocks = events.filter(
        ({ type }) => type === "content_block_start" || type === "content_block_stop",
      );
      expect(blocks.map(({ type, index }) => [type, index])).toEqual([
        ["content_block_start", 0],
        ["content_block_start", 1],
        ["content_block_stop", 1],
        ["content_block_stop", 0],
      ]);
      expect(blocks[0]).toMatchObject({ content_block: { type: "text" } });
      expect(blocks[1]).toMatchObject({ content_block: { type: "thinking", thinking: "" } });
      expect(lost).toEqual([]);
      expect(returned).toContain(JSON.stringify({ parts: returnedParts[where] }).slice(1, -1));
    },
  );

  test("is lost in other streams, and the receipt says so", async () => {
    const { events, lost } = await talk(frames, "Anthropic/JS 1.8.0");
    expect(JSON.stringify(events)).not.toContain('"type":"thinking"');
    expect(lost).toEqual([expect.stringContaining("the seal of a text")]);
  });

  test("is no text of its own to Codex, which prints only the last one", async () => {
    const { ask } = openGateway({ fetch: () => Promise.resolve(sse(...answers[where])) });
    const body = { model: "gemini-3.8-flash", store: false, stream: true, input: "How much?" };
    const text = await (await ask(post("/v1/responses", body))).text();
    const done = [...text.matchAll(/^data: (.*"type":"response.completed".*)$/gm)].map(
      ([, data = ""]) => (JSON.parse(data) as { readonly response: JsonObject }).response,
    );
    expect(done).toMatchObject([
      { output: [{ type: "message", content: [{ text: "It is 42." }] }, { type: "reasoning" }] },
    ]);
  });
});
