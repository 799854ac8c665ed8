import { describe, expect, test } from "vitest";
import { mull } from "../testing/fake-io.ts";
import { guessWire } from "./guess-wire.ts";

const said = [{ role: "user", content: "Hi" }];
const toolUse = {
  role: "assistant",
  content: [{ type: "tool_use", id: "t", name: "f", input: {} }],
};

describe("issue 6.3: a pasted request says itself which service it was written for", () => {
  test.each([
    [{ model: "claude-opus-5-5", messages: said }, "", "anthropic-messages"],
    [{ model: "our-model", system: "Be brief.", messages: said }, "", "anthropic-messages"],
    [{ messages: [...said, toolUse] }, "", "anthropic-messages"],
    [{ model: "gpt-6-sol", messages: said }, "", "openai-chat"],
    [{ model: "anthropic/claude-opus-5-5", messages: said }, "", "openai-chat"],
    [{ model: "gpt-6-sol", input: "Hi" }, "", "openai-responses"],
    [{ contents: [] }, "", "google-generate"],
    [{ model: "claude-opus-5-5", messages: said }, "/v1/chat/completions", "openai-chat"],
    [{ messages: said }, "/v1/messages?beta=true", "anthropic-messages"],
    [{}, "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse", "google-generate"],
    [{ messages: said }, "", undefined],
    [{ prompt: "Hi" }, "", undefined],
  ] as const)("%j %s", (body, path, wire) => {
    expect(guessWire(structuredClone(body) as never, path)).toBe(wire);
  });

  test("lint needs no --wire, and names the one it took", async () => {
    const body = { model: "gpt-6-sol", input: [{ type: "function_call_output", call_id: "c" }] };
    const { code, out } = await mull(["lint"], {
      stdin: JSON.stringify(body),
      terminal: { stdout: true },
    });
    expect(code).toBe(1);
    expect(out).toMatch(/ · openai-responses · gpt-6-sol\n/);
  });

  test.each([
    [" \n", "What was piped in is empty."],
    [
      '{"messages":[]}',
      "do not say which service it is for.\n  If it is a request to a model, name the wire: --wire anthropic",
    ],
    ["{", "What was piped in is not JSON"],
  ])("what cannot be judged is refused in words: %j", async (stdin, words) => {
    const { code, err } = await mull(["lint"], { stdin });
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});
