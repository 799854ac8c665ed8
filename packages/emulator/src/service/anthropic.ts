import type { JsonObject } from "mull";
import { mirrors } from "mull/wire";
import { rulesOf } from "mull/rules";

import { newId } from "../world/ids.ts";
import { blocksOf, thinkingBlocksOf } from "./anthropic-prefix.ts";
import {
  checkLatestThinking,
  inputTransformations,
  sealAnthropic,
  verifyAnthropic,
} from "./anthropic-seals.ts";
import { recallThread, rememberThread } from "./anthropic-threads.ts";
import { diagnoseAnthropic, keepPrompt } from "./cache-diagnosis.ts";
import { countThinking } from "./estimated-tokens.ts";
import { namedFrames } from "./frames.ts";
import {
  listIn,
  objectIn,
  textIn,
  unchanged,
  type Ending,
  type ServiceExchange,
  type ReadExchange,
  type Service,
} from "./service.ts";

const finishWords: Readonly<Record<Ending, string>> = {
  stop: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  "content-filter": "refusal",
  refusal: "refusal",
  pause: "pause_turn",
};

/** What the answer says about the request besides the message itself. */
const metadata = (exchange: ServiceExchange): JsonObject => ({
  ...(hasBeta(exchange.headers, "thinking-binding-controls-2026-08-01") && {
    input_transformations: inputTransformations(exchange),
  }),
  ...(exchange.body["context_management"] !== undefined && {
    context_management: { applied_edits: [] },
  }),
  ...(exchange.body["diagnostics"] !== undefined && diagnoseAnthropic(anthropic, exchange)),
});

const hasBeta = (headers: Readonly<Record<string, string>>, beta: string): boolean =>
  (headers["anthropic-beta"] ?? "").split(",").some((name) => name.trim() === beta);

const endsWithResults = (body: JsonObject): boolean =>
  blocksOf(objectIn(listIn(body["messages"]).at(-1))["content"]).some(
    (block) => objectIn(block)["type"] === "tool_result",
  );

/** Notes between tool calls are always shown. Up to Claude 4.6 the summary is shown by default; later models show it on request. */
const shows = ({ body, model }: ReadExchange): boolean => {
  if (objectIn(body["thinking"])["type"] === "between_tools") return true;
  const display = objectIn(body["thinking"])["display"];
  if (display === "updates") return endsWithResults(body);
  return display === undefined || display === null
    ? model.sampling === "limited"
    : display === "summarized";
};

/** A tool loop that began without thinking continues without it: one turn has one mode. */
const loopThinks = (body: JsonObject): boolean => {
  const messages = listIn(body["messages"]);
  const begun = messages.findLastIndex((message) => {
    const blocks = blocksOf(objectIn(message)["content"]).map((block) => objectIn(block)["type"]);
    return objectIn(message)["role"] === "user" && !blocks.includes("tool_result");
  });
  const loop = messages.slice(begun + 1);
  return loop.length === 0 || thinkingBlocksOf({ messages: loop }).length > 0;
};

/** Adaptive thinking interleaves by itself; budgets only with the beta, and not on Haiku 4.5 or Opus 4.6. */
const thinksBetweenTools = ({ body, headers, model }: ReadExchange): boolean => {
  const type = textIn(objectIn(body["thinking"])["type"]);
  if (type === "between_tools") return true;
  if (!loopThinks(body)) return false;
  if (type !== "enabled") return model.thinking.kind === "effort" && type !== "disabled";
  if (/haiku-4-5|opus-4-6/.test(model.id)) return false;
  return hasBeta(headers, "interleaved-thinking-2025-05-14");
};

export const anthropic: Service = {
  wire: "anthropic-messages",
  mirror: mirrors["anthropic-messages"],
  rules: rulesOf("anthropic-messages"),
  recall: recallThread,
  check: checkLatestThinking,
  verifySeal: verifyAnthropic,
  newReplyId: (world) => newId.anthropicMessage(world.random),
  shows,
  thinksBetweenTools,
  seal: sealAnthropic,
  writes: () => true,
  finish: (reason) => ({ reason, raw: finishWords[reason] }),
  metadata,
  prompt: (body) => ({
    pieces: [body["system"], body["tools"]],
    messages: listIn(body["messages"]),
  }),
  spread: (events, { headers }) =>
    hasBeta(headers, "thinking-token-count-2026-05-13") ? countThinking(events) : unchanged(events),
  frame: (events) => ({
    contentType: "text/event-stream; charset=utf-8",
    texts: namedFrames(events),
  }),
  remember: (exchange, answer) => {
    rememberThread(exchange, answer);
    if (exchange.body["diagnostics"] !== undefined) keepPrompt(exchange, answer);
  },
};
