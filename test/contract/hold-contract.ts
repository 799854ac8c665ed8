import type { ErrorCategory, WireId } from "mull";
import { expect, test } from "vitest";

import { checkDeltas, checkEventOrder, deltasOf } from "./check-events.ts";
import {
  bodyOf,
  callsIn,
  checkError,
  checkStructure,
  checkThinking,
  checkToolCall,
  checkUsage,
  onlyExchange,
  rawOf,
  replyOf,
} from "./checks.ts";
import { playScenario } from "./play-scenario.ts";

/** How one vendor's contract differs from the others'. */
export interface ContractTerms {
  readonly wire: WireId;
  /** Before the scenario's name, e.g. `openai/test_contract_`. */
  readonly cassettes: string;
  readonly path: RegExp;
  /** What a request at `med` says about thinking. */
  readonly thinkingFields: object;
  /** Whether the service shows thinking at all. */
  readonly showsThinking: boolean;
  /** Roles and texts of a conversation, as this service writes them. */
  readonly turns: (body: object) => readonly unknown[];
  readonly writtenTurns: readonly unknown[];
  readonly errors: Readonly<
    Record<
      "auth" | "rate_limit" | "server" | "invalid_request" | "invalid_model",
      { readonly status: number; readonly category: ErrorCategory; readonly message: string }
    >
  >;
}

/** The tests every vendor's contract has. Vendors add what only they have. */
export const holdContract = (terms: ContractTerms): void => {
  const { wire, errors } = terms;
  const play = (scenario: string) => playScenario(terms.cassettes + scenario);
  const seattle = [{ name: "get_weather", input: { location: "Seattle" } }];

  test("R315 test_contract_simple_text: text and usage equal the cassette", async () => {
    const outcome = await play("simple_text");
    checkStructure(outcome, wire);
    expect(onlyExchange(outcome).request.url).toMatch(terms.path);
  });

  test("R316 test_contract_tool_call: name and arguments", async () => {
    const outcome = await play("tool_call");
    checkStructure(outcome, wire);
    checkToolCall(outcome, wire, seattle);
    expect(JSON.stringify(bodyOf(outcome)["tools"])).toContain('"name":"get_weather"');
  });

  test("R122 D10 test_contract_tool_call_ids: ids of the service are kept", async () => {
    const outcome = await play("tool_call_ids");
    checkToolCall(outcome, wire, [
      { name: "get_weather", input: { location: "Paris" } },
      { name: "get_weather", input: { location: "London" } },
    ]);
    const calls = callsIn(replyOf(outcome));
    expect(calls.map(({ localId }) => localId)).toEqual([undefined, undefined]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test("R318 test_contract_thinking_config: the setting is in the request", async () => {
    const outcome = await play("thinking_config");
    checkStructure(outcome, wire);
    expect(bodyOf(outcome)).toMatchObject(terms.thinkingFields);
  });

  test("R319 test_contract_thinking_response: thinking is populated where it is shown", async () => {
    const outcome = await play("thinking_response");
    checkStructure(outcome, wire);
    if (terms.showsThinking) checkThinking(outcome, wire);
    const shown = rawOf(outcome, wire).thinkingPieces.length > 0;
    expect(shown).toBe(terms.showsThinking);
    expect(replyOf(outcome).usage.thinking).toBeGreaterThan(0);
  });

  test("R320 R152 test_contract_streaming_text: deltas concatenate", async () => {
    const outcome = await play("streaming_text");
    checkEventOrder(outcome, wire);
    checkStructure(outcome, wire);
    checkDeltas(outcome, wire, "text");
    expect(bodyOf(outcome)["stream"]).toBe(true);
  });

  test("R321 R153 test_contract_streaming_thinking: deltas accumulate", async () => {
    const outcome = await play("streaming_thinking");
    checkEventOrder(outcome, wire);
    checkStructure(outcome, wire);
    if (terms.showsThinking) checkDeltas(outcome, wire, "thinking");
    expect(deltasOf(outcome.events, "thinking").length > 0).toBe(terms.showsThinking);
  });

  test("R322 R154 test_contract_streaming_tool_call: arguments accumulate", async () => {
    const outcome = await play("streaming_tool_call");
    checkEventOrder(outcome, wire);
    checkToolCall(outcome, wire, seattle);
    const [call] = callsIn(replyOf(outcome));
    expect(JSON.parse(deltasOf(outcome.events, "tool-input").join(""))).toEqual(call?.input);
  });

  test("R323 test_contract_error_auth: no key becomes auth", async () => {
    const error = checkError(await play("error_auth"), errors.auth);
    expect(error.retryable).toBe(false);
  });

  test("R324 test_contract_error_rate_limit: 429 with the time to wait", async () => {
    const outcome = await play("error_rate_limit");
    const error = checkError(outcome, { ...errors.rate_limit, retryAfterMs: 2000 });
    expect(error.retryable).toBe(true);
  });

  test("R325 test_contract_error_invalid_request: 400 with details", async () => {
    const error = checkError(await play("error_invalid_request"), errors.invalid_request);
    expect(error.retryable).toBe(false);
  });

  test("R167 test_contract_error_server: 500 becomes server", async () => {
    const error = checkError(await play("error_server"), errors.server);
    expect(error.retryable).toBe(true);
  });

  test("R177 R314 test_contract_error_invalid_model: a typed error", async () => {
    const error = checkError(await play("error_invalid_model"), errors.invalid_model);
    expect(error.requestId).toBeDefined();
  });

  test("R326 test_contract_multi_turn: roles and context", async () => {
    const outcome = await play("multi_turn");
    checkStructure(outcome, wire);
    expect(terms.turns(bodyOf(outcome))).toEqual(terms.writtenTurns);
    expect(rawOf(outcome, wire).textPieces.join("")).toContain("2+2");
  });

  test("R327 test_contract_token_usage: every count, each token once", async () => {
    const outcome = await play("token_usage");
    checkUsage(outcome, wire);
    const { input = 0, output = 0, thinking = 0, total } = replyOf(outcome).usage;
    expect(Math.min(input, output, thinking)).toBeGreaterThan(0);
    expect(total).toBe(input + output + thinking);
  });
};
