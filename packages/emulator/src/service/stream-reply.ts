import type { AssistantPart, Reply } from "mull";
import type { ServeContext, ServerSentEvent } from "mull/wire";

import { alterEvents } from "../fault/alter-events.ts";
import type { Fault } from "../fault/fault.ts";
import { applyFault, bytesOf, type Segment } from "../fault/segments.ts";
import type { Disturbance, Place } from "../world/draft.ts";
import type { Composed } from "./compose-reply.ts";
import { speakFailure } from "./failures.ts";
import { unchanged, type ReadExchange, type Service } from "./service.ts";

type Frames = readonly ServerSentEvent[];

/** Running totals differ between a reply and its beginning; what is said does not. */
const saidIn = (event: ServerSentEvent | undefined): string =>
  (event?.data ?? "").replace(/"usageMetadata":.*$/s, "");

const commonLength = (a: Frames, b: Frames): number => {
  let length = 0;
  while (length < a.length && saidIn(a[length]) === saidIn(b[length])) length += 1;
  return length;
};

/** Stands behind the last part to find out where that ends and the farewell begins. */
const oneMore: AssistantPart = { type: "tool-call", id: "one_more", name: "one_more", input: {} };

/**
 * Where in the events of a reply its first so many parts end: up to there they are the same as the
 * events of a reply with only those parts, or with one more behind the last. Holds for every wire
 * without knowing any.
 */
const endOfParts = (
  service: Service,
  reply: Reply,
  context: ServeContext,
  events: Frames,
  count: number,
): number => {
  const all = reply.message.parts;
  const parts = count < all.length ? all.slice(0, count) : [...all, oneMore];
  const other = { ...reply, message: { ...reply.message, parts } };
  return commonLength(events, service.mirror.encodeStream(other, context));
};

const placeOf = (
  service: Service,
  { reply, ends }: Composed,
  context: ServeContext,
  events: Frames,
  place: Place,
): number => {
  const endOf = (part: number): number =>
    endOfParts(service, reply, context, events, ends[Math.min(part, ends.length - 1)] ?? 0);
  const end = endOf(place.part);
  if (place.where === "after") return end;
  const start =
    place.part > 0 ? endOf(place.part - 1) : endOfParts(service, reply, context, events, 0);
  return Math.min(end, start + Math.max(1, Math.ceil((end - start) / 2)));
};

const errorText = (
  service: Service,
  exchange: ReadExchange,
  failure: Parameters<typeof speakFailure>[0],
): string => {
  const { error } = speakFailure(failure, service.wire, exchange.world.clock.now());
  const events = service.mirror.encodeStreamError(error);
  return service.frame(events, exchange.query, "later").texts.join("");
};

const segmentOf = (
  disturbance: Disturbance,
  service: Service,
  exchange: ReadExchange,
): readonly Segment[] => {
  switch (disturbance.type) {
    case "stall":
      return [{ type: "wait", ms: disturbance.ms }];
    case "cut":
      return [{ type: "break" }];
    case "failure":
      return [bytesOf(errorText(service, exchange, disturbance.failure)), { type: "end" }];
    default:
      return disturbance satisfies never;
  }
};

const blockCuts = (faults: readonly Fault[]): readonly Disturbance[] =>
  faults.flatMap((fault) =>
    fault.type === "cut-block"
      ? [{ type: "cut" as const, part: fault.block, where: fault.where }]
      : [],
  );

/** The bytes of a streamed reply, with everything that happens to them on the way. */
export const streamReply = (
  service: Service,
  exchange: ReadExchange,
  composed: Composed,
  context: ServeContext,
  disturbances: readonly Disturbance[],
  faults: readonly Fault[],
): { readonly contentType: string; readonly segments: readonly Segment[] } => {
  const events = service.mirror.encodeStream(composed.reply, context);
  const spread = service.spread?.(events, exchange) ?? unchanged(events);
  const decorated = service.decorate?.(spread.events, exchange) ?? spread.events;
  const altered = alterEvents(decorated, faults);
  const { contentType, texts } = service.frame(altered.events, exchange.query);
  const placed = [...disturbances, ...blockCuts(faults)]
    .map((disturbance) => ({
      disturbance,
      at: altered.placeOf(spread.placeOf(placeOf(service, composed, context, events, disturbance))),
    }))
    .toSorted((a, b) => a.at - b.at);
  const segments: Segment[] = [];
  let next = 0;
  for (const { disturbance, at } of placed) {
    for (; next < at; next += 1) segments.push(bytesOf(texts[next] as string));
    segments.push(...segmentOf(disturbance, service, exchange));
  }
  for (; next < texts.length; next += 1) segments.push(bytesOf(texts[next] as string));
  return {
    contentType,
    segments: faults.reduce<readonly Segment[]>(
      (body, fault) =>
        applyFault(body, fault, ({ failure }) => errorText(service, exchange, failure)),
      segments,
    ),
  };
};
