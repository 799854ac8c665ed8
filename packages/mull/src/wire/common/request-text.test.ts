import { describe, expect, test } from "vitest";
import { findModel } from "../../catalogue/find-model.ts";
import type { JsonObject } from "../../types/json.ts";
import { wireIds, type Message, type WireId } from "../../types/message.ts";
import type { WireRequest } from "../../types/request.ts";
import { mirrors } from "../mirrors.ts";
import { wires } from "../wires.ts";
import { parseToolInput } from "./tool-input.ts";
import { writeBody } from "./write-body.ts";

/** Everything that `JSON.stringify(JSON.parse(text))` writes in another way. */
const odd = '{"id":12345678901234567890,"price":1.0,"big":1e2,"a":1,"a":2}';
const plain = '{"input":{"args":{}},"args":1}';

const models: Readonly<Record<WireId, string>> = {
  "anthropic-messages": "claude-opus-5-5",
  "openai-responses": "gpt-6-sol",
  "openai-chat": "gpt-5.1",
  "google-generate": "gemini-3.8-flash",
};

const messages: readonly Message[] = [
  { role: "user", parts: [{ type: "text", text: "Look both up." }] },
  {
    role: "assistant",
    parts: [odd, plain].map((text, at) => ({
      type: "tool-call",
      id: `call_${at}`,
      name: "look_up",
      ...parseToolInput(text),
    })),
  },
  {
    role: "tool",
    parts: [0, 1].map((at) => ({
      type: "tool-result",
      callId: `call_${at}`,
      name: "look_up",
      output: "4",
    })),
  },
];

const request: WireRequest = {
  model: "m",
  messages,
  thinking: { type: "default" },
  show: false,
  stream: false,
  maxOutputTokens: 1000,
};

const written = (wire: WireId, asked: WireRequest): { readonly path: string; text: string } => {
  const model = findModel(models[wire]);
  const { path, body } = wires[wire].encode({ ...asked, model: models[wire] }, { model });
  return { path, text: writeBody(body, asked.messages) };
};

/** Arguments as they stand in a body: OpenAI has them as a string. */
const inBody = (wire: WireId, args: string): string =>
  wire.startsWith("openai") ? JSON.stringify(args) : args;

const read = (wire: WireId, http: { readonly path: string; readonly text: string }): WireRequest =>
  mirrors[wire].decodeRequest({
    ...http,
    headers: {},
    body: JSON.parse(http.text) as JsonObject,
  });

describe.each(wireIds)("arguments in a request on %s", (from) => {
  test.each(wireIds)("are written for %s as they arrived", (to) => {
    const incoming = written(from, request);
    expect(incoming.text).toContain(inBody(from, odd));
    const { text } = written(to, read(from, incoming));
    expect(text).toContain(inBody(to, odd));
    expect(text).toContain(inBody(to, plain));
  });

  test("keep their text only where it says more than the value", () => {
    const [, answer] = read(from, written(from, request)).messages;
    const calls = (answer?.parts ?? []).filter((part) => part.type === "tool-call");
    expect(calls.map(({ inputText }) => inputText)).toEqual([odd, undefined]);
  });

  test("without the text of the body they are what the value says", () => {
    const { path, text } = written(from, request);
    const body = JSON.parse(text) as JsonObject;
    const [, answer] = mirrors[from].decodeRequest({ path, headers: {}, body }).messages;
    expect(answer?.parts[0]).toMatchObject({ input: { price: 1, a: 2 } });
  });
});
