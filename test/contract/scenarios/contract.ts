import type { ChatRequest, JsonObject } from "mull";

import { askStream, askWhole, converse, type Outcome, type Stage } from "../ask.ts";
import { getWeather, requests } from "../requests.ts";
import type { Scenario, Vendor } from "./scenario.ts";

/** What differs between the vendors in what is otherwise asked of all of them. */
export interface ContractTarget {
  readonly vendor: Vendor;
  readonly model: string;
  readonly invalidModel: string;
  /** Before the scenario's name, where one vendor has two wires. */
  readonly prefix?: string;
  /** Fields that make the request invalid; they are merged into the body. */
  readonly invalidFields: JsonObject;
  /** How this vendor says how long to wait: `seconds`, `info`, … */
  readonly retryForm: string;
}

const whole =
  (request: ChatRequest) =>
  (stage: Stage): Promise<Outcome> =>
    askWhole(stage, request);
const streamed =
  (request: ChatRequest) =>
  (stage: Stage): Promise<Outcome> =>
    askStream(stage, request);

const cannotOrder = (status: number): string => `the service cannot be made to answer ${status}`;

/** The same questions for every vendor, so that no contract is poorer than another. */
export const contractScenarios = (target: ContractTarget): readonly Scenario[] => {
  const { vendor, model, prefix = "" } = target;
  const scenario = (
    name: string,
    run: Scenario["run"],
    more: Partial<Scenario> = {},
  ): Scenario => ({
    cassette: `${vendor}/test_contract_${prefix}${name}`,
    vendor,
    model,
    run,
    ...(name.startsWith("error_") && { fails: true }),
    ...more,
  });
  return [
    scenario("simple_text", whole(requests.simpleText)),
    scenario("tool_call", whole(requests.toolCall)),
    scenario("tool_call_ids", whole(requests.twoToolCalls)),
    scenario("thinking_config", whole(requests.thinkingMed)),
    scenario("thinking_response", whole(requests.thinkingHigh)),
    scenario("streaming_text", streamed(requests.simpleText)),
    scenario("streaming_thinking", streamed(requests.thinkingMed)),
    scenario("streaming_tool_call", streamed(requests.toolCall)),
    scenario("error_auth", ({ fetch, model: asked }) =>
      askWhole({ fetch, model: asked }, requests.simpleText),
    ),
    scenario("error_rate_limit", whole(requests.simpleText), {
      emulator: { faults: `status=429:${target.retryForm}:2000` },
      emulatedOnly: cannotOrder(429),
    }),
    scenario("error_server", whole(requests.simpleText), {
      emulator: { faults: "status=500" },
      emulatedOnly: cannotOrder(500),
    }),
    scenario(
      "error_invalid_request",
      whole({ ...requests.simpleText, extra: target.invalidFields }),
    ),
    scenario("error_invalid_model", whole(requests.simpleText), {
      model: target.invalidModel,
      emulator: { unknownModels: "refuse" },
    }),
    scenario("multi_turn", whole(requests.multiTurn)),
    scenario("token_usage", whole(requests.thinkingHigh)),
    scenario("tool_loop", (stage) =>
      converse(stage, { tools: [getWeather], level: "med" }, [
        (agent) => agent.send("What is the weather in Seattle?"),
        (agent) => agent.send("And what is 15% of 240?"),
      ]),
    ),
  ];
};
