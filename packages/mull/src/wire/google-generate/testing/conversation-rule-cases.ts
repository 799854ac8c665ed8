import type { JsonObject } from "../../../types/json.ts";
import {
  type Case,
  call,
  hello,
  invalidSeal,
  result,
  says,
  sig,
  thinks,
  vertex,
} from "./rule-input.ts";

const countText =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
const orderText =
  "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
const orphanText =
  "Please ensure that function response turn comes immediately after a function call turn.";

export const conversationCases: readonly Case[] = [
  {
    rule: "google/level-or-budget",
    body: thinks({ thinkingLevel: "LOW", thinkingBudget: 5 }),
    path: "generation_config.thinking_config",
    message: "You can only set only one of thinking budget and thinking level.",
  },
  {
    rule: "google/level-or-budget",
    model: "gemini-2.5-pro",
    body: thinks({ thinkingLevel: "LOW", thinkingBudget: 500 }),
    path: "generation_config.thinking_config",
    message: "You can only set only one",
  },
  {
    rule: "google/level-on-budget-model",
    model: "gemini-2.5-flash",
    body: thinks({ thinking_level: "LOW" }),
    path: "generation_config.thinking_config.thinking_level",
    message: "Thinking level is not supported for this model.",
  },
  {
    rule: "google/level-not-offered",
    body: thinks({ thinkingLevel: "minimal" }),
    path: "generation_config.thinking_config.thinking_level",
    message:
      "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.",
  },
  {
    rule: "google/level-not-offered",
    model: "gemma-4-31b-it",
    parent: vertex,
    body: thinks({ thinkingLevel: "MEDIUM" }),
    path: "generation_config.thinking_config.thinking_level",
    message:
      "Unable to submit request because thinking_level MEDIUM is not supported by this model.",
  },
  {
    rule: "google/budget-range",
    model: "gemini-2.5-pro",
    body: thinks({ thinkingBudget: 0 }),
    path: "generation_config.thinking_config.thinking_budget",
    message: "Budget 0 is invalid. This model only works in thinking mode.",
  },
  {
    rule: "google/budget-range",
    model: "gemini-2.5-pro",
    body: thinks({ thinkingBudget: 64_000 }),
    path: "generation_config.thinking_config.thinking_budget",
    message: "The thinking budget 64000 is invalid. Please choose a value between 128 and 32768.",
  },
  {
    rule: "google/budget-range",
    model: "gemini-3.1-pro-preview",
    body: thinks({ thinkingBudget: 0 }),
    path: "generation_config.thinking_config.thinking_budget",
    message: "Budget 0 is invalid.",
  },
  {
    rule: "google/budget-range",
    model: "gemini-3.7-flash",
    body: thinks({ thinkingBudget: 40_000 }),
    path: "generation_config.thinking_config.thinking_budget",
    message: "between 1 and 32768",
  },
  {
    rule: "google/budget-on-level-model",
    model: "gemini-4-argon",
    body: thinks({ thinkingBudget: 5 }),
    path: "generation_config.thinking_config.thinking_budget",
    message: "Thinking budget is not supported for this model.",
  },
  {
    rule: "google/thinking-not-enabled",
    model: "gemini-2.0-flash",
    body: { generationConfig: { thinkingConfig: { includeThoughts: true }, seed: 1 } },
    path: "generation_config.thinking_config",
    message: "Thinking is not enabled for models/gemini-2.0-flash",
  },
  {
    rule: "google/thoughts-while-off",
    model: "gemini-2.5-flash",
    parent: vertex,
    body: thinks({ thinkingBudget: 0, includeThoughts: true }),
    path: "generation_config.thinking_config.include_thoughts",
    message: "Thinking_config.include_thoughts is only enabled when thinking is enabled..",
  },
  {
    rule: "google/thought-signature-missing",
    body: { contents: [hello, call({}), result()] },
    path: "contents[1].parts[0]",
    message: "Additional data, function call `default_api:f` , position 2.",
  },
  {
    rule: "google/thought-signature-missing",
    parent: vertex,
    body: { contents: [hello, call({}), result()] },
    path: "contents[1].parts[0]",
    message:
      "Unable to submit request because function call f in the 2. content block is missing a thought_signature.",
  },
  {
    rule: "google/thought-signature-invalid",
    input: invalidSeal,
    body: {
      contents: [
        hello,
        {
          role: "model",
          parts: [{ text: "a", ...sig }, { functionCall: { name: "f" }, ...sig }, { text: "b" }],
        },
        result(),
      ],
    },
    path: "contents[1].parts[0].thought_signature",
    message: "Corrupted thought signature.",
  },
  {
    rule: "google/thought-signature-missing",
    body: {
      contents: [
        hello,
        { role: "model", parts: [{ text: "a" }, { functionCall: { name: "f" } }] },
        result(),
      ],
    },
    path: "contents[1].parts[1]",
    message: "function call `default_api:f`",
  },
  {
    rule: "google/thought-signature-invalid",
    input: invalidSeal,
    body: { contents: [hello, { role: "model", parts: [{ text: "a" }, sig] }, hello] },
    path: "contents[1].parts[1].thought_signature",
    message: "Corrupted thought signature.",
  },
  {
    rule: "google/thought-signature-invalid",
    input: invalidSeal,
    parent: vertex,
    body: { contents: [hello, call(), result()] },
    path: "contents[1].parts[0].thought_signature",
    message: "Unable to submit request because Thought signature is not valid..",
  },
  {
    rule: "google/thought-signature-form",
    body: { contents: [hello, call({ thoughtSignature: "gAAAA*" }), result()] },
    path: "contents[1].parts[0].thought_signature",
    message: "does not look like",
  },
  {
    rule: "google/function-response-count",
    body: { contents: [hello, call(), hello] },
    path: "contents[2]",
    message: countText,
  },
  {
    rule: "google/function-response-count",
    body: { contents: [hello, call(), result(), result()] },
    path: "contents[2]",
    message: countText,
  },
  {
    rule: "google/function-response-count",
    body: { contents: [hello, { role: "model", parts: [{ functionCall: {}, ...sig }] }, hello] },
    path: "contents[2]",
    message: countText,
  },
  {
    rule: "google/function-call-order",
    body: { contents: [says, call(), result()] },
    path: "contents[1]",
    message: orderText,
  },
  {
    rule: "google/function-response-order",
    body: { contents: [result(), hello] },
    path: "contents[0]",
    message: orphanText,
  },
  {
    rule: "google/function-response-order",
    body: {
      contents: [
        hello,
        call(),
        hello,
        { role: "user", parts: [...[result()["parts"]].flat(), { text: "b" }] },
      ],
    } as JsonObject,
    path: "contents[3]",
    message: orphanText,
  },
  {
    rule: "google/function-response-id",
    body: { contents: [hello, call(sig, { id: "a" }), result({ id: "b" })] },
    path: "contents[2].parts[0].function_response.id",
    message: "functionResponse.id does not match functionCall.id",
  },
  {
    rule: "google/trailing-model-turn",
    body: { contents: [hello, says] },
    path: "contents[1]",
    message:
      "Requests ending with a model turn are not supported unless the last part is a function response.",
  },
];
