import type { JsonObject, StreamEvent, WireId } from "mull";

import type { Outcome } from "./ask.ts";
import { onlyExchange, rawOf } from "./checks.ts";
import { requireEqual, requireThat } from "./contract-failure.ts";
import { valuesOf } from "./witness.ts";

/** Events as words: `start thinking+ part text+ part finish`, repeats folded. */
const folded = (words: readonly string[]): string =>
  words.filter((word, index) => word !== words[index - 1]).join(" ");

/** `start` first, `finish` last and once; deltas of a part before it; parts in order. */
const checkOwnOrder = (outcome: Outcome): void => {
  const { events } = outcome;
  requireEqual(outcome, "first event", events[0]?.type, "start");
  requireEqual(outcome, "last event", events.at(-1)?.type, "finish");
  const finishes = events.filter((event) => event.type === "finish").length;
  requireEqual(outcome, "number of finish events", finishes, 1);
  let closed = -1;
  events.forEach((event, at) => {
    if (!("index" in event)) return;
    requireThat(outcome, `event ${at}: index`, event.index > closed, `above ${closed}`, event);
    if (event.type === "part") closed = event.index;
  });
};

const typesOf = (values: readonly JsonObject[]): readonly string[] =>
  values.map((value) => value["type"] as string);

/** What each service's stream is made of, as a pattern over its event types. */
const typedProtocols: Readonly<Record<"anthropic-messages" | "openai-responses", RegExp>> = {
  "anthropic-messages":
    /^message_start( ping)?( content_block_start( ping)?( content_block_delta)* content_block_stop)+ message_delta message_stop$/,
  "openai-responses":
    /^response\.created response\.in_progress( response\.output_item\.added( response\.(?!output_item\.|created|completed)[\w.]+)* response\.output_item\.done)+ response\.completed$/,
};

const checkGoogle = (outcome: Outcome, values: readonly JsonObject[]): void => {
  const finishes = values.map((value) =>
    ((value["candidates"] ?? []) as readonly JsonObject[]).some(
      (candidate) => candidate["finishReason"] !== undefined,
    ),
  );
  requireEqual(outcome, "position of finishReason", finishes.indexOf(true), values.length - 1);
  const usage = values.at(-1)?.["usageMetadata"];
  requireThat(outcome, "usageMetadata", usage !== undefined, "in the last chunk", usage);
};

const checkChat = (outcome: Outcome, values: readonly JsonObject[]): void => {
  const { text } = onlyExchange(outcome).response;
  requireThat(outcome, "end", text.trimEnd().endsWith("data: [DONE]"), "data: [DONE]");
  const kinds = new Set(values.map((value) => value["object"]));
  requireEqual(outcome, "object", [...kinds], ["chat.completion.chunk"]);
};

/** R155: the order of the service's events, and of ours made of them. */
export const checkEventOrder = (outcome: Outcome, wire: WireId): void => {
  const values = valuesOf(onlyExchange(outcome).response.text);
  switch (wire) {
    case "google-generate":
      checkGoogle(outcome, values);
      break;
    case "openai-chat":
      checkChat(outcome, values);
      break;
    case "anthropic-messages":
    case "openai-responses": {
      const order = folded(typesOf(values));
      const protocol = typedProtocols[wire];
      requireThat(outcome, "order of events", protocol.test(order), protocol.source, order);
      break;
    }
    default:
      wire satisfies never;
  }
  checkOwnOrder(outcome);
};

/** The deltas of one kind. */
export const deltasOf = (
  events: readonly StreamEvent[],
  type: "thinking" | "text" | "tool-input",
): readonly string[] => events.flatMap((event) => (event.type === type ? [event.delta] : []));

/** R152 R153: as many deltas as the service sent, in order, and together exactly the whole. */
export const checkDeltas = (outcome: Outcome, wire: WireId, type: "thinking" | "text"): void => {
  const raw = rawOf(outcome, wire);
  const pieces = type === "thinking" ? raw.thinkingPieces : raw.textPieces;
  const deltas = deltasOf(outcome.events, type);
  requireEqual(outcome, `${type} deltas`, deltas, pieces);
  const whole = outcome.result?.[type];
  requireEqual(outcome, `${type} of the result`, whole, deltas.join(""));
  requireThat(outcome, `${type} deltas`, deltas.length > 1, "more than one", deltas);
};
