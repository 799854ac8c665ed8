import type { ServeContext, ServerSentEvent, StreamWriter } from "mull/wire";

import { alterEvents } from "../fault/alter-events.ts";
import type { Fault } from "../fault/fault.ts";
import { applyFault, bytesOf, type Segment } from "../fault/segments.ts";
import type { Disturbance, Failure, DraftPlace } from "../world/draft.ts";
import type { ComposedReply } from "./compose-reply.ts";
import { speakFailure } from "./failures.ts";
import { unchanged, type ReadExchange, type Service } from "./service.ts";

type ReplyFrames = readonly ServerSentEvent[];

/** The events of a reply, with the number of events before its first part and up to the end of each part. */
const eventsOf = (
  { reply }: ComposedReply,
  writer: StreamWriter,
): { readonly events: ReplyFrames; readonly ends: readonly number[] } => {
  const events: ServerSentEvent[] = [...writer.write({ type: "start" })];
  const ends = [events.length];
  reply.message.parts.forEach((part, index) => {
    events.push(...writer.write({ type: "part", index, part }));
    ends.push(events.length);
  });
  events.push(...writer.write({ type: "finish", reply }));
  return { events, ends };
};

/** The position in the events where something happens; `drafted` maps drafted parts to parts of the reply. */
const placeOf = (
  place: DraftPlace,
  ends: readonly number[],
  drafted: readonly number[],
): number => {
  const endOf = (part: number): number =>
    ends[part < 0 ? 0 : (drafted[Math.min(part, drafted.length - 1)] ?? 0)] ?? 0;
  const end = endOf(place.part);
  if (place.where === "after") return end;
  const start = endOf(place.part - 1);
  return Math.min(end, start + Math.max(1, Math.ceil((end - start) / 2)));
};

type Speak = (failure: Failure) => string;

const segmentOf = (disturbance: Disturbance, speak: Speak): readonly Segment[] => {
  switch (disturbance.type) {
    case "stall":
      return [{ type: "wait", ms: disturbance.ms }];
    case "cut":
      return [{ type: "break" }];
    case "failure":
      return [bytesOf(speak(disturbance.failure)), { type: "end" }];
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

/** The bytes of a streamed reply, with pauses, errors and faults applied. */
export const streamReply = (
  service: Service,
  exchange: ReadExchange,
  composed: ComposedReply,
  context: ServeContext,
  disturbances: readonly Disturbance[],
  faults: readonly Fault[],
): { readonly contentType: string; readonly segments: readonly Segment[] } => {
  const writer = service.mirror.openStream({ ...context, reply: composed.reply });
  const { events, ends } = eventsOf(composed, writer);
  const speak: Speak = (failure) => {
    const { error } = speakFailure(failure, service.wire, exchange.world.clock.now());
    return service.frame(writer.fail(error), exchange.query, "later").texts.join("");
  };
  const spread = service.spread?.(events, exchange) ?? unchanged(events);
  const decorated = service.decorate?.(spread.events, exchange) ?? spread.events;
  const altered = alterEvents(decorated, faults);
  const { contentType, texts } = service.frame(altered.events, exchange.query);
  const placed = [...disturbances, ...blockCuts(faults)]
    .map((disturbance) => ({
      disturbance,
      at: altered.placeOf(spread.placeOf(placeOf(disturbance, ends, composed.ends))),
    }))
    .toSorted((a, b) => a.at - b.at);
  const segments: Segment[] = [];
  let next = 0;
  for (const { disturbance, at } of placed) {
    for (; next < at; next += 1) segments.push(bytesOf(texts[next] as string));
    segments.push(...segmentOf(disturbance, speak));
  }
  for (; next < texts.length; next += 1) segments.push(bytesOf(texts[next] as string));
  return {
    contentType,
    segments: faults.reduce<readonly Segment[]>(
      (body, fault) => applyFault(body, fault, ({ failure }) => speak(failure)),
      segments,
    ),
  };
};
