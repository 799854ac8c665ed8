import type { Fetch, JsonObject, WireId } from "mull";
import { isJsonObject } from "mull/wire";
import { describe, expect, test } from "vitest";

import { openRawClient } from "./testing/raw-client.ts";
import { openGateway, sentText } from "./testing/set-up.ts";
import { post, testWires } from "./testing/wires.ts";

/** A seal of so many characters, which packs as badly as a real one. */
function sealOf(length: number): string {
  const bytes = new Uint8Array(Math.ceil(length / 4) * 3);
  let state = 1;
  for (let at = 0; at < bytes.length; at++) {
    state = (state * 48_271) % 2_147_483_647;
    bytes[at] = state >> 8;
  }
  return Buffer.from(bytes).toString("base64").slice(0, length);
}

/** A service that answers with these bodies in turn, and what it was sent. */
function scripted(...answers: readonly JsonObject[]): {
  readonly fetch: Fetch;
  readonly sent: string[];
} {
  const sent: string[] = [];
  const fetch: Fetch = (_url, init) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push(sentText(init));
    return Promise.resolve(
      new Response(`data: ${JSON.stringify(answer)}\n\n`, {
        headers: { "content-type": "text/event-stream" },
      }),
    );
  };
  return { fetch, sent };
}

const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 };

/** A whole answer of Gemini. */
const gemini = (...parts: readonly JsonObject[]): JsonObject => ({
  candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
  usageMetadata,
});

const call = (thoughtSignature: string): JsonObject =>
  gemini({ functionCall: { name: "weather", args: { city: "Oslo" } }, thoughtSignature });

/** Asks, takes the answer, and asks once more. */
async function askTwice(
  wire: WireId,
  answers: readonly JsonObject[],
  dropped: readonly string[] = [],
): Promise<{ readonly sent: readonly string[]; readonly lost: readonly string[] }> {
  const { fetch, sent } = scripted(...answers);
  const { ask, receipts } = openGateway({ fetch, model: "gemini-3.8-flash/high" });
  const loop = (item: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !dropped.includes(name)));
  const client = openRawClient(wire, "some-model", { loop });
  client.ask("How is the weather?");
  const first: unknown = await (await ask(client.request())).json();
  const calls = isJsonObject(first) ? client.take(first) : [];
  if (calls.length > 0) client.answer(["4 degrees"]);
  else client.ask("And tomorrow?");
  expect((await ask(client.request())).status).toBe(200);
  return { sent, lost: receipts[0]?.seals.lost ?? [] };
}

describe("seals as long as real ones", () => {
  test.each([600, 5000, 30_000])("%s characters travel in the id of a call", async (length) => {
    const seal = sealOf(length);
    const answers = [call(seal), gemini({ text: "Four." })];
    const dropped = ["reasoning_details", "reasoning_content"];
    const { sent, lost } = await askTwice("openai-chat", answers, dropped);
    expect(sent[1]).toContain(seal);
    expect(lost).toEqual([]);
  });

  test("what is too long even for that is withheld, the receipt says so, and the turn goes on", async () => {
    const seal = sealOf(80_000);
    const answers = [call(seal), gemini({ text: "Four." })];
    const { sent, lost } = await askTwice("openai-chat", answers, ["reasoning_details"]);
    expect(sent[1]).not.toContain(seal);
    expect(sent[1]).toContain("4 degrees");
    expect(lost).toEqual([expect.stringMatching(/too long for its id: \d+ characters of 60000/)]);
  });
});

describe("what Gemini signs on its last text", () => {
  const seal = sealOf(700);
  const forms = [
    ["on the text", gemini({ text: "Four degrees.", thoughtSignature: seal })],
    ["on an empty part", gemini({ text: "Four degrees." }, { text: "", thoughtSignature: seal })],
  ] as const;
  const table = testWires.flatMap(({ wire }) =>
    forms.map(([form, answer]) => ({ wire, form, answer })),
  );

  test.each(table)("$wire brings it back, $form", async ({ wire, answer }) => {
    const { sent, lost } = await askTwice(wire, [answer]);
    expect(lost).toEqual([]);
    const { contents } = JSON.parse(sent[1] ?? "{}") as {
      readonly contents: readonly JsonObject[];
    };
    const parts = JSON.stringify(contents[1]?.["parts"]);
    expect(parts).toBe(
      JSON.stringify(
        (answer["candidates"] as readonly { content: JsonObject }[])[0]?.content["parts"],
      ),
    );
  });

  test("Anthropic's clients print nothing of an answer that ends in a block of thinking", async () => {
    const { fetch } = scripted(forms[0][1]);
    const { ask } = openGateway({ fetch, model: "gemini-3.8-flash/high" });
    const client = openRawClient("anthropic-messages", "some-model");
    client.ask("How is the weather?");
    const { content } = (await (await ask(client.request())).json()) as {
      readonly content: readonly JsonObject[];
    };
    expect(content.map(({ type }) => type)).toEqual(["thinking", "text"]);
  });

  test.each([
    ["in a stream", { stream: true, thinking: { type: "adaptive" } }],
    ["where nobody asked for thinking", {}],
    ["where thinking is off", { thinking: { type: "disabled" } }],
  ])("to Anthropic's clients it is lost %s, and told", async (_name, fields) => {
    const { fetch } = scripted(forms[0][1]);
    const { ask, receipts } = openGateway({ fetch, model: "gemini-3.8-flash/high" });
    const messages = [{ role: "user", content: "Hello" }];
    const asked = { model: "some-model", max_tokens: 4000, messages, ...fields };
    const answer = await (await ask(post("/v1/messages", asked))).text();
    expect(answer).toContain("Four degrees.");
    expect(answer).not.toContain('"thinking"');
    expect(receipts[0]?.seals.lost).toEqual([
      "the seal of a text: this client has no field for it in such an answer",
    ]);
  });
});
