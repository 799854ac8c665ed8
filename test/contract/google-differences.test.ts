import { emulate } from "@mull/emulator";
import { mirrors, readExchange } from "mull/wire";
import { expect, test } from "vitest";

import { askWhole, makeProvider } from "./ask.ts";
import { checkDeltas, checkEventOrder } from "./check-events.ts";
import { checkStructure, checkUsage, onlyExchange, replyOf } from "./checks.ts";
import { playScenario } from "./play-scenario.ts";
import { requests } from "./requests.ts";
import { contract } from "./skip.ts";

const wire = "google-generate";

const wholeBody = (content: object, finishReason = "STOP"): string =>
  JSON.stringify({ candidates: [{ content, finishReason }] });

const framings = [
  { name: "SSE", cassette: "streaming_thinking", type: "text/event-stream", start: /^data: \{/ },
  { name: "array", cassette: "streaming_array", type: "application/json", start: /^\[\{/ },
  { name: "NDJSON", cassette: "streaming_ndjson", type: "application/x-ndjson", start: /^\{"/ },
] as const;

contract("Google differences (R333)", () => {
  test.each(framings)(
    "1 stream format: R146 R147 D8 $name is read to the same answer",
    async ({ cassette, type, start }) => {
      const outcome = await playScenario(`google/test_contract_${cassette}`);
      const { response } = onlyExchange(outcome);
      expect(response.headers["content-type"]).toContain(type);
      expect(response.text).toMatch(start);
      checkEventOrder(outcome, wire);
      checkStructure(outcome, wire);
      checkDeltas(outcome, wire, "thinking");
      checkDeltas(outcome, wire, "text");
    },
  );

  test.each([1, 7, 64])("1 stream format: F-S1 in pieces of %i bytes", async (chunkSize) => {
    for (const { cassette } of framings) {
      const outcome = await playScenario(`google/test_contract_${cassette}`, { chunkSize });
      checkStructure(outcome, wire);
      expect(outcome.result?.thinking).not.toBe("");
    }
  });

  test("2 role names: R84 R85 R86 D10 user, model, and results under user", async () => {
    const outcome = await playScenario("google/test_contract_tool_loop");
    const last = outcome.exchanges.at(-1)?.request.body["contents"] as readonly {
      role: string;
      parts: readonly object[];
    }[];
    expect(last.map(({ role }) => role)).toEqual(["user", "model", "user", "model", "user"]);
    expect(last[2]?.parts).toMatchObject([{ functionResponse: { name: "get_weather" } }]);
    const read = mirrors["google-generate"].decodeRequest({
      path: "/v1beta/models/gemini-3.0-flash:generateContent",
      headers: {},
      body: {
        contents: [
          { role: "model", parts: [{ functionCall: { name: "get_weather", args: {} } }] },
          {
            role: "function",
            parts: [{ functionResponse: { name: "get_weather", response: { output: "14" } } }],
          },
        ],
      },
    });
    expect(read.messages.map(({ role }) => role)).toEqual(["assistant", "tool"]);
  });

  test("3 ids: R120 R121 made here only where Google gives none", async () => {
    const named = await playScenario("google/test_contract_tool_call");
    const unnamed = await playScenario("google/test_contract_tool_call_id_generation");
    const flags = [named, unnamed].map((outcome) =>
      replyOf(outcome).message.parts.map((part) => part.type === "tool-call" && part.localId),
    );
    expect(flags).toEqual([[undefined], [true, true]]);
  });

  test("R204 R202 seals stay on the part they came with and go back byte for byte", async () => {
    const outcome = await playScenario("google/test_contract_tool_loop");
    const contents = outcome.exchanges[1]?.request.body["contents"] as readonly {
      parts: readonly { thoughtSignature?: string; functionCall?: object }[];
    }[];
    const [call] = contents[1]?.parts ?? [];
    expect(call?.functionCall).toBeDefined();
    expect(outcome.exchanges[0]?.response.text).toContain(call?.thoughtSignature);
  });

  test("4 thinking location: R105 R106 R107 thought parts and a thoughts string", () => {
    const parts = [{ text: "First this.", thought: true }, { text: "4" }];
    const flagged = readExchange({ wire, body: wholeBody({ role: "model", parts }) });
    const named = readExchange({
      wire,
      body: wholeBody({ role: "model", thoughts: "First this.", parts: [{ text: "4" }] }),
    });
    for (const reply of [flagged, named]) {
      expect(reply.message.parts).toMatchObject([
        { type: "thinking", text: "First this." },
        { type: "text", text: "4" },
      ]);
    }
  });

  test("5 token names: R133 R136 prompt, candidates, thoughts and total", async () => {
    const outcome = await playScenario("google/test_contract_token_usage");
    checkUsage(outcome, wire);
    const { usageMetadata } = JSON.parse(onlyExchange(outcome).response.text);
    expect(replyOf(outcome).usage.raw).toEqual(usageMetadata);
  });

  test("6 auth header: R83 x-goog-api-key and no Authorization", async () => {
    const sent: Headers[] = [];
    const emulator = emulate({ unknownModels: "accept" });
    const provider = makeProvider("gemini-3.0-flash", (input, init) => {
      sent.push(new Headers(init.headers));
      return emulator(input, init);
    });
    await askWhole(provider, requests.simpleText);
    expect(sent.map((headers) => headers.get("x-goog-api-key"))).toEqual([provider.apiKey]);
    expect(sent.map((headers) => headers.has("authorization"))).toEqual([false]);
  });

  test("6 auth header: R164 D12 a wrong key is an auth error although Google says 400", async () => {
    const outcome = await askWhole(
      makeProvider("gemini-3.0-flash", emulate({ unknownModels: "accept" }), "an-invalid-one"),
      requests.simpleText,
    );
    expect(outcome.error).toMatchObject({ status: 400, category: "auth" });
    expect(outcome.error?.message).toContain("API key not valid");
  });

  test.each([
    ["R115", "STOP", "stop"],
    ["R116", "MAX_TOKENS", "length"],
    ["R117", "SAFETY", "content-filter"],
    ["R118", "RECITATION", "content-filter"],
    ["R119", "OTHER", "stop"],
  ])("7 finish reasons: %s %s is %s", (_id, raw, reason) => {
    const content = { role: "model", parts: [{ text: "4" }] };
    expect(readExchange({ wire, body: wholeBody(content, raw) }).finish).toMatchObject({
      reason,
      raw,
    });
  });

  test("R112 D23 the model reported is the one asked for", async () => {
    const outcome = await playScenario("google/test_contract_simple_text");
    expect(replyOf(outcome).message.origin?.model).toMatch(/^gemini-/);
    expect(onlyExchange(outcome).request.url).toContain(replyOf(outcome).message.origin?.model);
  });
});
