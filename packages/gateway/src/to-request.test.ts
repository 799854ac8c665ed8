import { planThinking, resolveModel, type JsonObject, type WireId } from "mull";
import { mirrors } from "mull/wire";
import { describe, expect, test } from "vitest";

import { testWires } from "./testing/wires.ts";
import { toRequest } from "./to-request.ts";

const capFields: Readonly<Record<WireId, (cap: number) => JsonObject>> = {
  "anthropic-messages": (max_tokens) => ({ max_tokens }),
  "openai-responses": (max_output_tokens) => ({ max_output_tokens }),
  "openai-chat": (max_completion_tokens) => ({ max_completion_tokens }),
  "google-generate": (maxOutputTokens) => ({ generationConfig: { maxOutputTokens } }),
};

test.each(testWires)("a system prompt alone is a question to $model", ({ model }) => {
  const body = { messages: [{ role: "system", content: "Name a colour." }] };
  const asked = mirrors["openai-chat"].decodeRequest({ path: "", headers: {}, body });
  const { request, notes } = toRequest(asked, "openai-chat", resolveModel(model), asked.messages);
  expect(request).toMatchObject({
    messages: [{ role: "user", parts: [{ type: "text", text: "Name a colour." }] }],
  });
  expect(request.system).toBeUndefined();
  expect(notes.map(({ code }) => code)).toEqual(["system-asks"]);
});

/** What a client's cap becomes, and what is said about it. */
function plan(wire: WireId, ref: string, cap: number) {
  const target = resolveModel(ref);
  const path = wire === "google-generate" ? "/v1beta/models/m:generateContent" : "";
  const asked = mirrors[wire].decodeRequest({ path, headers: {}, body: capFields[wire](cap) });
  const messages = [{ role: "user", parts: [{ type: "text", text: "Hi" }] }] as const;
  const { request, notes } = toRequest(asked, wire, target, messages);
  const { level, maxOutputTokens } = request;
  const { model, provider } = target;
  const planned = planThinking({
    model,
    wire: provider.wire.id,
    ...(level !== undefined && { level }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  });
  return { ...planned, told: notes.map(({ code }) => code) };
}

const refs = [
  ...testWires.flatMap(({ model }) => [`${model}/high`, `${model}/max`]),
  "gemini-2.5-pro/max",
];

describe.each(testWires)("the cap of a client of $wire includes thinking:", ({ wire }) => {
  test.each(refs)("it is the cap that %s gets", (ref) => {
    const { outputCap = Infinity } = resolveModel(ref).model;
    const cap = Math.min(128_000, outputCap);
    const { notes, maxOutputTokens, answerRoom = 0 } = plan(wire, ref, 128_000);
    const shrunk = notes.filter(({ code }) => /room|shrunk/.test(code));
    expect({ shrunk, maxOutputTokens }).toEqual({ shrunk: [], maxOutputTokens: cap });
    expect(answerRoom).toBeGreaterThan(8000);
  });

  test("where thinking would take all of it, thinking comes on top", () => {
    const { answerRoom, thinkingRoom, told } = plan(wire, "gpt-6-sol/high", 2000);
    expect({ answerRoom, thinkingRoom }).toEqual({ answerRoom: 2000, thinkingRoom: 32_768 });
    expect(told).toContain("cap-raised");
  });
});
