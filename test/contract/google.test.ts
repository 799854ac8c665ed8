import { expect, test } from "vitest";

import { checkDeltas, checkEventOrder, deltasOf } from "./check-events.ts";
import {
  bodyOf,
  callsIn,
  checkCallId,
  checkError,
  checkStructure,
  checkThinking,
  checkToolCall,
  checkUsage,
  onlyExchange,
  rawOf,
  replyOf,
  valueAt,
} from "./checks.ts";
import { playScenario } from "./play-scenario.ts";
import { contract } from "./skip.ts";

const wire = "google-generate";
const play = (scenario: string) => playScenario(`google/test_contract_${scenario}`);

contract("Google contract", () => {
  test("R293 R309 R315 test_contract_simple_text: text and usage equal the cassette", async () => {
    const outcome = await play("simple_text");
    checkStructure(outcome, wire);
    const { request } = onlyExchange(outcome);
    expect(request.url).toMatch(/\/v1beta\/models\/gemini-[\w.-]+:generateContent$/);
    expect(request.body).toEqual({
      contents: [{ role: "user", parts: [{ text: "What is 2+2?" }] }],
    });
    expect(replyOf(outcome).message.parts).toHaveLength(1);
  });

  test("R294 R310 R316 R109 test_contract_tool_call: name and args", async () => {
    const outcome = await play("tool_call");
    checkStructure(outcome, wire);
    checkToolCall(outcome, wire, [{ name: "get_weather", input: { location: "Seattle" } }]);
    const [tool] = bodyOf(outcome)["tools"] as readonly [{ functionDeclarations: object[] }];
    expect(tool.functionDeclarations).toMatchObject([{ name: "get_weather" }]);
  });

  test("R120 D10 test_contract_tool_call_ids: ids of the service are kept", async () => {
    const outcome = await play("tool_call_ids");
    checkToolCall(outcome, wire, [
      { name: "get_weather", input: { location: "Paris" } },
      { name: "get_weather", input: { location: "London" } },
    ]);
    for (const call of callsIn(replyOf(outcome))) expect(call.localId).toBeUndefined();
  });

  test("R295 R317 R120 R121 R122 test_contract_tool_call_id_generation: 22 characters", async () => {
    const outcome = await play("tool_call_id_generation");
    expect(rawOf(outcome, wire).calls.map(({ id }) => id)).toEqual([undefined, undefined]);
    const calls = callsIn(replyOf(outcome));
    for (const { id } of calls) checkCallId(outcome, id);
    expect(calls.map(({ localId }) => localId)).toEqual([true, true]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test("R296 R311 R318 R72 R76 test_contract_thinking_config: thinkingConfig is sent", async () => {
    const outcome = await play("thinking_config");
    checkStructure(outcome, wire);
    const config = valueAt(bodyOf(outcome), "generationConfig", "thinkingConfig");
    expect(config).toMatchObject({ includeThoughts: true });
    expect(config).toHaveProperty("thinkingLevel");
    expect(config).not.toHaveProperty("thinkingBudget");
  });

  test("R297 R312 R319 R106 test_contract_thinking_response: thinking is populated", async () => {
    const outcome = await play("thinking_response");
    checkStructure(outcome, wire);
    checkThinking(outcome, wire);
    expect(replyOf(outcome).message.parts.map(({ type }) => type)).toEqual(["thinking", "text"]);
  });

  test("R298 R320 R148 R150 R151 R152 test_contract_streaming_text: chunks concatenate", async () => {
    const outcome = await play("streaming_text");
    checkEventOrder(outcome, wire);
    checkStructure(outcome, wire);
    checkDeltas(outcome, wire, "text");
    expect(onlyExchange(outcome).request.url).toMatch(/:streamGenerateContent\?alt=sse$/);
  });

  test("R299 R321 R145 R153 test_contract_streaming_thinking: deltas accumulate", async () => {
    const outcome = await play("streaming_thinking");
    checkEventOrder(outcome, wire);
    checkStructure(outcome, wire);
    checkThinking(outcome, wire);
    checkDeltas(outcome, wire, "thinking");
    expect(outcome.result?.receipt.plan.applied).toBe("high");
  });

  test("R300 R322 R149 R154 test_contract_streaming_tool_call: arguments accumulate", async () => {
    const outcome = await play("streaming_tool_call");
    checkEventOrder(outcome, wire);
    checkToolCall(outcome, wire, [{ name: "get_weather", input: { location: "Seattle" } }]);
    const [call] = callsIn(replyOf(outcome));
    expect(JSON.parse(deltasOf(outcome.events, "tool-input").join(""))).toEqual(call?.input);
  });

  test("R301 R323 R164 R168 test_contract_error_auth: 403 becomes auth", async () => {
    const outcome = await play("error_auth");
    const error = checkError(outcome, { status: 403, category: "auth", message: "API Key" });
    expect(error.code).toBe("PERMISSION_DENIED");
  });

  test("R302 R324 R165 test_contract_error_rate_limit: 429 with the time to wait", async () => {
    const outcome = await play("error_rate_limit");
    const error = checkError(outcome, {
      status: 429,
      category: "rate_limit",
      message: "You exceeded your current quota",
      retryAfterMs: 2000,
    });
    expect(error.retryable).toBe(true);
    expect(error.code).toBe("RESOURCE_EXHAUSTED");
  });

  test("R303 R325 R166 test_contract_error_invalid_request: 400 with details", async () => {
    const outcome = await play("error_invalid_request");
    const error = checkError(outcome, {
      status: 400,
      category: "invalid_argument",
      message: "ENORMOUS",
    });
    expect(error.retryable).toBe(false);
  });

  test("R167 test_contract_error_server: 500 becomes server", async () => {
    const outcome = await play("error_server");
    const error = checkError(outcome, {
      status: 500,
      category: "server",
      message: "Internal error encountered",
    });
    expect(error.retryable).toBe(true);
  });

  test("R177 R314 test_contract_error_invalid_model: a typed error", async () => {
    const outcome = await play("error_invalid_model");
    const error = checkError(outcome, {
      status: 404,
      category: "not_found",
      message: "gemini-nonexistent-9",
    });
    expect(error.provider).toBe("google");
  });

  test("R304 R313 R326 R84 R85 test_contract_multi_turn: roles and context", async () => {
    const outcome = await play("multi_turn");
    checkStructure(outcome, wire);
    const contents = bodyOf(outcome)["contents"] as readonly { role: string; parts: object[] }[];
    expect(contents.map(({ role }) => role)).toEqual(["user", "model", "user"]);
    expect(contents[1]?.parts).toEqual([{ text: "2+2 is 4." }]);
    expect(rawOf(outcome, wire).textPieces.join("")).toContain("2+2");
  });

  test("R305 R327 R136 test_contract_token_usage: all three fields", async () => {
    const outcome = await play("token_usage");
    checkUsage(outcome, wire);
    const { input = 0, output = 0, thinking = 0, total } = replyOf(outcome).usage;
    expect(Math.min(input, output, thinking)).toBeGreaterThan(0);
    expect(total).toBe(input + output + thinking);
  });

  test("R306 R328 R110 R111 test_contract_grounding: metadata is kept", async () => {
    const outcome = await play("grounding");
    checkStructure(outcome, wire);
    const [candidate] = JSON.parse(onlyExchange(outcome).response.text).candidates;
    expect(candidate.groundingMetadata.groundingChunks).not.toEqual([]);
    const { groundingMetadata, safetyRatings } = candidate;
    expect(replyOf(outcome).metadata).toMatchObject({ groundingMetadata, safetyRatings });
    expect(bodyOf(outcome)["tools"]).toEqual([{ google_search: {} }]);
  });
});
