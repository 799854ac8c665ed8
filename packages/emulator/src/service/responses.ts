import type { Finish } from "mull";
import { effortInForce, mirrors } from "mull/wire";
import { rulesOf } from "mull/rules";

import { newId } from "../world/ids.ts";
import { diagnoseOpenai, keepPrompt } from "./cache-diagnosis.ts";
import { namedFrames } from "./frames.ts";
import { isLocal, storesResponses } from "./local-responses.ts";
import { responsesLogprobs, streamedResponsesLogprobs } from "./logprobs.ts";
import { obfuscate } from "./obfuscate.ts";
import { sealResponses, verifyResponses } from "./responses-seals.ts";
import { checkItems, inputItems, recallResponses, rememberResponse } from "./responses-state.ts";
import { objectIn, servedTier, type Ending, type Service } from "./service.ts";

const finishOf = (reason: Ending): Finish => {
  switch (reason) {
    case "length":
      return { reason, raw: "incomplete", note: "max_output_tokens" };
    case "content-filter":
      return { reason, raw: "incomplete", note: "content_filter" };
    case "stop":
    case "tool-calls":
    case "refusal":
    case "pause":
      return { reason, raw: "completed" };
    default:
      return reason satisfies never;
  }
};

export const responses: Service = {
  wire: "openai-responses",
  mirror: mirrors["openai-responses"],
  rules: rulesOf("openai-responses"),
  recall: recallResponses,
  check: checkItems,
  verifySeal: verifyResponses,
  newReplyId: (world) => newId.openaiResponse(world.random),
  shows: ({ body, model }) => {
    const reasoning = objectIn(body["reasoning"]);
    return (
      isLocal({ model }) ||
      typeof (reasoning["summary"] ?? reasoning["generate_summary"]) === "string"
    );
  },
  thinksBetweenTools: ({ model }) => model.thinking.kind !== "none",
  seal: sealResponses,
  writes: () => true,
  finish: finishOf,
  prompt: (body) => ({
    pieces: [body["instructions"], body["tools"]],
    messages: inputItems(body["input"]),
  }),
  // Mull's own encoder writes `store: false` by default; the service's default is true.
  repeat: ({ request, body, model }) => ({
    ...request,
    extra: { ...request.extra, store: storesResponses({ body, model }) },
  }),
  echo: ({ body, model }) => {
    const reasoning = objectIn(body["reasoning"]);
    return {
      effort:
        effortInForce(body) ??
        reasoning["effort"] ??
        (model.thinking.kind === "none" ? null : (model.defaultThinking ?? "medium")),
      summary: reasoning["summary"] ?? null,
    };
  },
  metadata: (exchange) => ({
    service_tier: servedTier(exchange.body),
    ...diagnoseOpenai(responses, exchange),
  }),
  wholeChoices: responsesLogprobs,
  decorate: (events, exchange) => obfuscate(streamedResponsesLogprobs(events, exchange), exchange),
  frame: (events) => ({
    contentType: "text/event-stream; charset=utf-8",
    texts: namedFrames(events),
  }),
  remember: (exchange, answer) => {
    rememberResponse(exchange, answer);
    keepPrompt(exchange, answer);
  },
  postpone: (answer, { body }) =>
    body["background"] === true
      ? { ...answer, status: "queued", output: [], usage: null, incomplete_details: null }
      : answer,
};
