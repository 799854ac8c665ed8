import { expect, test } from "vitest";

import { checkEventOrder } from "./check-events.ts";
import { bodyOf, checkStructure, replyOf } from "./checks.ts";
import { holdContract, type ContractTerms } from "./hold-contract.ts";
import { playScenario } from "./play-scenario.ts";
import { contract } from "./skip.ts";

const cassettes = "openai/test_contract_";
const input = (text: string) => ({ role: "user", content: [{ type: "input_text", text }] });

const errors: ContractTerms["errors"] = {
  auth: { status: 401, category: "auth", message: "API key" },
  rate_limit: { status: 429, category: "rate_limit", message: "Rate limit reached" },
  server: { status: 500, category: "server", message: "The server had an error" },
  invalid_request: { status: 400, category: "invalid_argument", message: "enormous" },
  invalid_model: { status: 400, category: "not_found", message: "gpt-nonexistent-9" },
};

contract("OpenAI contract: Responses", () => {
  holdContract({
    wire: "openai-responses",
    cassettes,
    path: /^https:\/\/api\.openai\.com\/v1\/responses$/,
    thinkingFields: { reasoning: { effort: "medium", summary: "auto" }, store: false },
    showsThinking: true,
    turns: (body) => (body as { input: unknown[] }).input,
    writtenTurns: [
      input("What is 2+2?"),
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "2+2 is 4." }],
      },
      input("What did I ask you before?"),
    ],
    errors,
  });

  test("R111 R328 test_contract_grounding: search and citations are kept verbatim", async () => {
    const outcome = await playScenario(`${cassettes}grounding`);
    checkStructure(outcome, "openai-responses");
    const { parts } = replyOf(outcome).message;
    const search = parts.find((part) => part.type === "opaque");
    expect(search).toMatchObject({ kind: "web_search_call", data: { status: "completed" } });
    const text = parts.find((part) => part.type === "text");
    expect(text?.extra?.fields["annotations"]).toMatchObject([{ type: "url_citation" }]);
  });

  test("test_contract_refusal: a refusal is no answer", async () => {
    const outcome = await playScenario(`${cassettes}refusal`);
    checkEventOrder(outcome, "openai-responses");
    expect(outcome.result).toMatchObject({ text: "", refusal: expect.stringMatching(/can't/) });
    expect(replyOf(outcome).finish.reason).toBe("refusal");
  });

  test("R216 D16 test_contract_tool_loop: the reasoning item goes back whole", async () => {
    const outcome = await playScenario(`${cassettes}tool_loop`);
    const [first, second] = outcome.exchanges;
    const items = second?.request.body["input"] as readonly Record<string, string>[];
    expect(items.map(({ type }) => type)).toEqual([
      undefined,
      "reasoning",
      "function_call",
      "function_call_output",
    ]);
    expect(first?.response.text).toContain(items[1]?.["encrypted_content"]);
    expect(second?.request.body["include"]).toEqual(["reasoning.encrypted_content"]);
    expect(outcome.turns?.at(-1)?.text).toContain("36");
  });
});

contract("OpenAI contract: Chat Completions", () => {
  holdContract({
    wire: "openai-chat",
    cassettes: `${cassettes}chat_`,
    path: /^https:\/\/api\.openai\.com\/v1\/chat\/completions$/,
    thinkingFields: { reasoning_effort: "medium" },
    showsThinking: false,
    turns: (body) => (body as { messages: unknown[] }).messages,
    writtenTurns: [
      { role: "user", content: "What is 2+2?" },
      { role: "assistant", content: "2+2 is 4." },
      { role: "user", content: "What did I ask you before?" },
    ],
    errors: { ...errors, invalid_model: { ...errors.invalid_model, status: 404 } },
  });

  test("R69 test_contract_thinking_config: only the word goes out", async () => {
    const outcome = await playScenario(`${cassettes}chat_thinking_config`);
    expect(bodyOf(outcome)).not.toHaveProperty("reasoning");
    expect(bodyOf(outcome)["reasoning_effort"]).toBe("medium");
  });

  test("test_contract_refusal: a refusal is no answer", async () => {
    const outcome = await playScenario(`${cassettes}chat_refusal`);
    checkEventOrder(outcome, "openai-chat");
    expect(outcome.result).toMatchObject({ text: "", refusal: expect.stringMatching(/can't/) });
  });

  test("test_contract_tool_loop: calls and results are paired by id", async () => {
    const outcome = await playScenario(`${cassettes}chat_tool_loop`);
    const [, second] = outcome.exchanges;
    const messages = second?.request.body["messages"] as readonly {
      tool_calls?: { id: string }[];
      tool_call_id?: string;
    }[];
    expect(messages[2]?.tool_call_id).toBe(messages[1]?.tool_calls?.[0]?.id);
    expect(outcome.turns?.at(-1)?.text).toContain("36");
  });
});
