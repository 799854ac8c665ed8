import { describe, expect, test } from "vitest";
import { counters } from "./counters.ts";

describe("R450: a request is counted by what its endpoint takes", () => {
  test("Anthropic: without a cap, sampling and stream", () => {
    const counter = counters["anthropic-messages"]!;
    const body = {
      model: "m",
      messages: [],
      max_tokens: 5,
      stream: true,
      thinking: { type: "adaptive" },
    };
    expect(counter.encode({ path: "/v1/messages", headers: {}, body, notes: [] })).toEqual({
      path: "/v1/messages/count_tokens",
      body: { model: "m", messages: [], thinking: { type: "adaptive" } },
    });
    expect(counter.decode({ input_tokens: 7 })).toBe(7);
    expect(counter.decode({})).toBeUndefined();
  });

  test("Responses: only known parameters", () => {
    const counter = counters["openai-responses"]!;
    const body = { model: "m", input: [], store: false, include: [], reasoning: { effort: "low" } };
    expect(counter.encode({ path: "/v1/responses", headers: {}, body, notes: [] })).toEqual({
      path: "/v1/responses/input_tokens",
      body: { model: "m", input: [], reasoning: { effort: "low" } },
    });
    expect(counter.decode({ input_tokens: 7 })).toBe(7);
  });

  test("Google: the whole request, which names its model once more; Vertex its parts", () => {
    const counter = counters["google-generate"]!;
    const body = { contents: [], safetySettings: [] };
    const path = "/v1beta/models/gemini%2Dx:streamGenerateContent?alt=sse";
    expect(counter.encode({ path, headers: {}, body, notes: [] })).toEqual({
      path: "/v1beta/models/gemini%2Dx:countTokens",
      body: { generateContentRequest: { model: "models/gemini-x", ...body } },
    });
    const vertex = "/publishers/google/models/gemini-x:generateContent";
    expect(counter.encode({ path: vertex, headers: {}, body, notes: [] })).toEqual({
      path: "/publishers/google/models/gemini-x:countTokens",
      body: { contents: [] },
    });
    expect(counter.decode({ totalTokens: 7 })).toBe(7);
  });

  test("Chat Completions has no such endpoint", () => {
    expect(counters["openai-chat"]).toBeUndefined();
  });
});
