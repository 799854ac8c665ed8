import { emulate, script, says, stalls, thinks } from "@mull/emulator";
import { Agent, isMullError, type JsonObject, type MullError } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";
import {
  answer,
  bodyFor,
  claudeSays,
  composed,
  deepseekSays,
  listAt,
  results,
  signature,
  thought,
  user,
  words,
} from "./kit.ts";

const opus = "claude-opus-5-5";
const frame = (data: JsonObject): string =>
  `event: ${data["type"] as string}\ndata: ${JSON.stringify(data)}\n\n`;
const start = frame({
  type: "message_start",
  message: { id: "msg_1", model: opus, usage: { input_tokens: 1, output_tokens: 1 } },
});
const block = (index: number, content: JsonObject, ...deltas: readonly JsonObject[]): string =>
  [
    { type: "content_block_start", index, content_block: content },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ]
    .map(frame)
    .join("");
const end =
  frame({
    type: "message_delta",
    delta: { stop_reason: "end_turn" },
    usage: { output_tokens: 9 },
  }) + frame({ type: "message_stop" });
const empty = { type: "thinking", thinking: "", signature: "" };
const sign = (text: string): JsonObject => ({ type: "signature_delta", signature: text });
const think = (text: string): JsonObject => ({ type: "thinking_delta", thinking: text });
const say = block(1, { type: "text", text: "" }, { type: "text_delta", text: "Yes." });

const read = (body: string): ReturnType<typeof readExchange> =>
  readExchange({ wire: "anthropic-messages", model: opus, body });

const call = {
  id: "c1",
  type: "function",
  function: { name: "get_weather", arguments: "{}" },
};

function cutOf(body: string): MullError {
  try {
    read(body);
  } catch (error) {
    if (isMullError(error)) return error;
  }
  throw new Error("the stream was not cut");
}

describe("E. streams", () => {
  test("P-E1 stopped in mid thinking: finished blocks stay, the cut one is shown and never sent", () => {
    const body = start + block(0, empty, think("one"), sign(signature)) + say;
    const open = frame({ type: "content_block_start", index: 2, content_block: empty });
    const half = [think("two"), sign("EqQ")]
      .map((delta) => frame({ type: "content_block_delta", index: 2, delta }))
      .join("");
    const { code, partial } = cutOf(body + open + half);
    expect(code).toBe("truncated");
    const message = partial!.message;
    expect(message.parts.map(({ type, send }) => [type, send])).toEqual([
      ["thinking", undefined],
      ["text", undefined],
      ["thinking", false],
    ]);
    const sent = JSON.stringify(
      bodyFor(opus, [user("a"), { ...message, interrupted: true }, user("b")]),
    );
    expect(sent).not.toContain('"EqQ"');
  });

  test("P-E2 a signature in pieces, early or late, is one signature", () => {
    const orders = [
      [sign("Eq"), sign("QB"), think("one")],
      [think("one"), sign("Eq"), sign("QB")],
      [sign("Eq"), think("one"), sign("QB")],
    ];
    for (const deltas of orders) {
      const [part] = read(start + block(0, empty, ...deltas) + say + end).message.parts;
      expect(part).toMatchObject({ text: "one", seal: { data: { signature: "EqQB" } } });
    }
    const whole = { type: "thinking", thinking: "one", signature };
    const [part] = read(start + block(0, whole) + say + end).message.parts;
    expect(part).toMatchObject({ text: "one", seal: { data: { signature } } });
  });

  test.each([0, 1, 2])("P-E3 a redacted block at position %i survives the stream", (position) => {
    const blocks: JsonObject[] = [thought("one"), thought("two")];
    blocks.splice(position, 0, { type: "redacted_thinking", data: "EmwK" });
    const body = blocks.map((content, index) => block(index, content)).join("");
    const { parts } = read(start + body + block(3, { type: "text", text: "Yes." }) + end).message;
    expect(parts[position]).toMatchObject({ type: "thinking", visibility: "redacted" });
    expect(JSON.stringify(parts[position])).toContain("EmwK");
  });

  test("P-E4 silence while a model thinks is not taken for death", async () => {
    const fetch = emulate({
      scripts: [script({}, [thinks("A very long thought."), stalls(30), says("Yes.")])],
      faults: "pace=1",
    });
    const agent = new Agent(opus, { fetch, apiKey: "k", env: {}, level: "high" });
    expect((await agent.send("hi")).text).toBe("Yes.");
  });

  test("P-E5 tags cut anywhere are taken out of the text", () => {
    const text = "<think>one <b> two</think>Yes.";
    const quirks = { thinkTags: [["<think>", "</think>"]] as const };
    for (let at = 1; at < text.length; at++) {
      const chunks = [text.slice(0, at), text.slice(at)].map(
        (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
      );
      const stop = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
      const { message } = readExchange({
        wire: "openai-chat",
        body: chunks.join("") + stop,
        quirks,
      });
      expect(message.parts.map((part) => [part.type, "text" in part && part.text])).toEqual([
        ["thinking", "one <b> two"],
        ["text", "Yes."],
      ]);
    }
  });

  const spoken = { content: "", reasoning_content: "hm", tool_calls: [call] };

  test.each(["deepseek:deepseek-v4-pro", "moonshot:kimi-k2.6", "zai:glm-5"])(
    "P-E6 P-E7 %s gets its reasoning_content back inside a tool loop",
    (ref) => {
      const said = answer(ref, deepseekSays(spoken));
      const sent = listAt(bodyFor(ref, [user("hi"), said, results(said)]), "messages");
      expect(sent[1]).toMatchObject({ reasoning_content: "hm" });
    },
  );

  test("P-E6 who refuses it does not get it, and foreign thinking does not stand in for it", () => {
    const said = answer("deepseek:deepseek-v4-pro", deepseekSays(spoken));
    const { encoded, prepared } = composed("openai-chat:gpt-5.1", [
      user("hi"),
      said,
      results(said),
    ]);
    expect(JSON.stringify(encoded.body)).not.toContain('"hm"');
    expect(prepared.withheld).toHaveLength(1);
  });

  test("P-E7 thinking the server insists on is never made up for calls of others", () => {
    const said = answer(
      opus,
      claudeSays(thought("claude's"), words("Yes."), {
        type: "tool_use",
        id: "t1",
        name: "get_weather",
        input: {},
      }),
    );
    const body = JSON.stringify(
      bodyFor("deepseek:deepseek-v4-pro", [user("hi"), said, results(said)]),
    );
    expect(body).not.toContain("claude's");
  });

  test("P-E8 a stream that ends without its last event is an error that carries what came", () => {
    const { category, code, partial } = cutOf(
      start + block(0, empty, think("one"), sign(signature)) + say,
    );
    expect([category, code]).toEqual(["protocol", "truncated"]);
    expect(partial?.message.parts.map(({ type }) => type)).toEqual(["thinking", "text"]);
  });
});
