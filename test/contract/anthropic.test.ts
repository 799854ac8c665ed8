import { expect, test } from "vitest";

import { checkEventOrder } from "./check-events.ts";
import { checkStructure, onlyExchange, replyOf } from "./checks.ts";
import { holdContract } from "./hold-contract.ts";
import { playScenario } from "./play-scenario.ts";
import { contract } from "./skip.ts";

const cassettes = "anthropic/test_contract_";
const said = (role: string, text: string) => ({ role, content: [{ type: "text", text }] });

contract("Anthropic contract", () => {
  holdContract({
    wire: "anthropic-messages",
    cassettes,
    path: /^https:\/\/api\.anthropic\.com\/v1\/messages$/,
    thinkingFields: { thinking: { type: "enabled", budget_tokens: 43_008 } },
    showsThinking: true,
    turns: (body) => (body as { messages: unknown[] }).messages,
    writtenTurns: [
      said("user", "What is 2+2?"),
      said("assistant", "2+2 is 4."),
      said("user", "What did I ask you before?"),
    ],
    errors: {
      auth: { status: 401, category: "auth", message: "x-api-key" },
      rate_limit: { status: 429, category: "rate_limit", message: "rate limit" },
      server: { status: 500, category: "server", message: "Internal server error" },
      invalid_request: {
        status: 400,
        category: "invalid_argument",
        message: "thinking.enabled.budget_tokens",
      },
      invalid_model: { status: 404, category: "not_found", message: "claude-nonexistent-9" },
    },
  });

  test("R101 R392 test_contract_redacted_thinking: kept sealed beside the readable", async () => {
    const outcome = await playScenario(`${cassettes}redacted_thinking`);
    checkEventOrder(outcome, "anthropic-messages");
    const [open, redacted] = replyOf(outcome).message.parts;
    expect(open).toMatchObject({ type: "thinking", text: "In the open." });
    expect(redacted).toMatchObject({ type: "thinking", text: "", visibility: "redacted" });
    expect(redacted?.seal?.data).not.toEqual({});
  });

  test("R111 R328 test_contract_grounding: blocks of a web search are kept verbatim", async () => {
    const outcome = await playScenario(`${cassettes}grounding`);
    checkStructure(outcome, "anthropic-messages");
    const { content } = JSON.parse(onlyExchange(outcome).response.text);
    const kept = replyOf(outcome).message.parts.flatMap((part) =>
      part.type === "opaque" ? [part.data] : [],
    );
    expect(kept).toEqual(content.filter(({ type }: { type: string }) => type !== "text"));
    expect(kept.map(({ type }) => type)).toEqual(["server_tool_use", "web_search_tool_result"]);
  });

  test("R217 R218 R219 test_contract_tool_loop: the seal goes back before its call", async () => {
    const outcome = await playScenario(`${cassettes}tool_loop`);
    const [, second] = outcome.exchanges;
    const messages = second?.request.body["messages"] as readonly { content: object[] }[];
    const [thinking, call] = messages[1]?.content ?? [];
    expect(thinking).toMatchObject({ type: "thinking", signature: expect.any(String) });
    expect(call).toMatchObject({ type: "tool_use", name: "get_weather" });
    const sealed = (thinking as { signature: string }).signature;
    expect(outcome.exchanges[0]?.response.text).toContain(JSON.stringify(sealed));
    expect(outcome.turns?.map(({ text }) => text)).toEqual([
      expect.stringContaining("14 °C"),
      expect.stringContaining("36"),
    ]);
  });
});
