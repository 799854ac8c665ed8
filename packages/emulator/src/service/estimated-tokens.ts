import type { JsonObject } from "mull";
import type { ServerSentEvent } from "mull/wire";

import { spreadEvents, type Altered } from "../fault/alter-events.ts";
import { objectIn } from "./service.ts";

/** Counts come in steps of this many tokens. */
const quantum = 50;

const dataOf = ({ data }: ServerSentEvent): JsonObject => JSON.parse(data) as JsonObject;

const withDelta = (
  event: ServerSentEvent,
  data: JsonObject,
  delta: JsonObject,
): ServerSentEvent => ({
  ...event,
  data: JSON.stringify({ ...data, delta }),
});

const thinkingTokensIn = (events: readonly ServerSentEvent[]): number => {
  const end = events.find(({ event }) => event === "message_delta");
  const usage = end === undefined ? {} : objectIn(dataOf(end)["usage"]);
  return Number(objectIn(usage["output_tokens_details"])["thinking_tokens"] ?? 0);
};

/**
 * Every `thinking_delta` has a token count, which is `null` beside text. Withheld thinking
 * sends deltas without text only for this count, before its signature.
 */
export const countThinking = (events: readonly ServerSentEvent[]): Altered => {
  const steps = Math.max(1, Math.floor(thinkingTokensIn(events) / quantum));
  let isWithheld = false;
  return spreadEvents(events, (event) => {
    const data = event.event === "content_block_delta" ? dataOf(event) : {};
    const delta = objectIn(data["delta"]);
    if (event.event === "content_block_start") isWithheld = true;
    if (delta["type"] === "thinking_delta") {
      isWithheld = false;
      return [withDelta(event, data, { ...delta, estimated_tokens: null })];
    }
    if (delta["type"] !== "signature_delta" || !isWithheld) return [event];
    const count = { type: "thinking_delta", thinking: "", estimated_tokens: quantum };
    return [...Array.from({ length: steps }, () => withDelta(event, data, count)), event];
  });
};
