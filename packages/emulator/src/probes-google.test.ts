import type { JsonObject } from "mull";

import { runProbes, type Probe } from "./testing/probe.ts";

const gemini = (model: string, config: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  model,
  contents: [{ role: "user", parts: [{ text: "Hi" }] }],
  ...(Object.keys(config).length > 0 && { generationConfig: { thinkingConfig: config } }),
  ...more,
});
const skip = "skip_thought_signature_validator";
const turns = (...list: readonly JsonObject[]): JsonObject => ({
  contents: [{ role: "user", parts: [{ text: "Hi" }] }, ...list],
  tools: [{ functionDeclarations: [{ name: "f" }] }],
});
const gCall = {
  role: "model",
  parts: [{ functionCall: { name: "f", args: {} }, thoughtSignature: skip }],
};
const gResult = {
  role: "user",
  parts: [{ functionResponse: { name: "f", response: { output: 4 } } }],
};

const google: readonly Probe[] = [
  {
    name: "P-F1 a call without its signature",
    refused: gemini(
      "gemini-3.8-flash",
      {},
      turns({ role: "model", parts: [{ functionCall: { name: "f", args: {} } }] }, gResult),
    ),
    text: /^Function call is missing a thought_signature in functionCall parts\. .*function call `default_api:f` , position 2\./,
    accepted: gemini("gemini-3.8-flash", {}, turns(gCall, gResult)),
  },
  {
    name: "a signature of nobody",
    refused: gemini(
      "gemini-3.8-flash",
      {},
      turns(
        {
          role: "model",
          parts: [{ functionCall: { name: "f", args: {} }, thoughtSignature: "EpAI" }],
        },
        gResult,
      ),
    ),
    text: /thought signature/i,
    accepted: gemini("gemini-3.8-flash", {}, turns(gCall, gResult)),
  },
  {
    name: "results that do not match the calls in number",
    refused: gemini(
      "gemini-3.8-flash",
      {},
      turns(gCall, { role: "user", parts: [...gResult.parts, ...gResult.parts] }),
    ),
    text: "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    accepted: gemini("gemini-3.8-flash", {}, turns(gCall, gResult)),
  },
  {
    name: "a result that follows no call",
    refused: gemini("gemini-3.8-flash", {}, turns(gResult)),
    text: "Please ensure that function response turn comes immediately after a function call turn.",
    accepted: gemini("gemini-3.8-flash", {}, turns(gCall, gResult)),
  },
  {
    name: "a role of another wire",
    refused: gemini(
      "gemini-3.8-flash",
      {},
      { contents: [{ role: "assistant", parts: [{ text: "Hi" }] }] },
    ),
    text: "Please use a valid role: user, model.",
    accepted: gemini("gemini-3.8-flash"),
  },
  {
    name: "a model turn at the end",
    refused: gemini("gemini-3.8-flash", {}, turns({ role: "model", parts: [{ text: "Well" }] })),
    text: /^Requests ending with a model turn are not supported/,
    accepted: gemini("gemini-2.5-flash", {}, turns({ role: "model", parts: [{ text: "Well" }] })),
  },
  {
    name: "a level on 2.5",
    refused: gemini("gemini-2.5-flash", { thinkingLevel: "LOW" }),
    text: "Thinking level is not supported for this model.",
    accepted: gemini("gemini-2.5-flash", { thinkingBudget: 1024 }),
  },
  {
    name: "a level the model does not have",
    refused: gemini("gemini-3.8-flash", { thinkingLevel: "MINIMAL" }),
    text: "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.",
    accepted: gemini("gemini-3.6-flash", { thinkingLevel: "MINIMAL" }),
  },
  {
    name: "level and budget",
    refused: gemini("gemini-3.8-flash", { thinkingLevel: "LOW", thinkingBudget: 1024 }),
    text: "You can only set only one of thinking budget and thinking level.",
    accepted: gemini("gemini-3.8-flash", { thinkingLevel: "LOW" }),
  },
  {
    name: "P-B5 budget 0 on a model that only thinks",
    refused: gemini("gemini-2.5-pro", { thinkingBudget: 0 }),
    text: "Budget 0 is invalid. This model only works in thinking mode.",
    accepted: gemini("gemini-2.5-flash", { thinkingBudget: 0 }),
  },
  {
    name: "P-B6 a budget out of range",
    refused: gemini("gemini-2.5-pro", { thinkingBudget: 64_000 }),
    text: "The thinking budget 64000 is invalid. Please choose a value between 128 and 32768.",
    accepted: gemini("gemini-2.5-pro", { thinkingBudget: 32_768 }),
  },
  {
    name: "a tool mode without tools",
    refused: gemini(
      "gemini-3.8-flash",
      {},
      { toolConfig: { functionCallingConfig: { mode: "ANY" } } },
    ),
    text: "Function calling config is set without function_declarations.",
    accepted: gemini(
      "gemini-3.8-flash",
      {},
      {
        tools: [{ functionDeclarations: [{ name: "f" }] }],
        toolConfig: { functionCallingConfig: { mode: "ANY" } },
      },
    ),
  },
  {
    name: "an id that was never served",
    refused: gemini("gemini-3-pro"),
    status: 404,
    text: /^models\/gemini-3-pro is not found for API version v1beta, or is not supported for generateContent\./,
    accepted: gemini("gemini-3.1-pro-preview"),
  },
];

runProbes("google", google);
