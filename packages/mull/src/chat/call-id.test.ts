import { describe, expect, test } from "vitest";
import { googleGenerate } from "../wire/google-generate/index.ts";
import { streamChat } from "./ask.ts";
import { newCallId } from "./call-id.ts";
import { readExchange } from "./exchange.ts";
import { streamTurn } from "./lean.ts";

/** 122 random bits; version 4 and its variant in between. */
const uuid4 = /^[\w-]{8}[\w-]{14}$/;
const bitsOf = (id: string): readonly [number, number] => {
  const bytes = atob(id.replaceAll("-", "+").replaceAll("_", "/"));
  return [bytes.charCodeAt(6) >> 4, bytes.charCodeAt(8) >> 6];
};

/** A call as Gemini sends it when it gives no id. */
const frame = {
  candidates: [
    {
      content: { role: "model", parts: [{ functionCall: { name: "f", args: {} } }] },
      finishReason: "STOP",
    },
  ],
};
const sse = `data: ${JSON.stringify(frame)}\n\n`;
const fetch = (): Promise<Response> =>
  Promise.resolve(new Response(sse, { headers: { "content-type": "text/event-stream" } }));
const model = "gemini-2.5-flash";
const messages = [{ role: "user", parts: [{ type: "text", text: "x" }] }] as const;

async function idFrom(
  events: AsyncIterable<{ readonly type: string; readonly id?: unknown }>,
): Promise<string> {
  let id = "";
  for await (const event of events) if (event.type === "tool-call") id = String(event.id);
  return id;
}

const sources: readonly (readonly [string, () => Promise<string>])[] = [
  ["streamChat", () => idFrom(streamChat(model, { messages }, { fetch, apiKey: "k", env: {} }))],
  [
    "streamTurn",
    () =>
      idFrom(
        streamTurn(
          { wire: googleGenerate, baseUrl: "https://api.test", headers: {} },
          { model, messages },
          { fetch },
        ),
      ),
  ],
  [
    "readExchange",
    async () => {
      const part = readExchange({ wire: "google-generate", body: sse }).message.parts[0];
      return part?.type === "tool-call" ? part.id : "";
    },
  ],
];

describe("ids made here", () => {
  test("R121 R122 are UUIDs of version 4 in 22 characters, no two alike", () => {
    const ids = Array.from({ length: 1000 }, newCallId);
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) {
      expect(id).toMatch(uuid4);
      expect(bitsOf(id)).toEqual([4, 2]);
    }
  });

  test.each(sources)("R123 come from the same generator in %s", async (_, makeId) => {
    const id = await makeId();
    expect(id).toMatch(uuid4);
    expect(bitsOf(id)).toEqual([4, 2]);
  });
});
