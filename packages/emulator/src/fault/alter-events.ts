import type { ServerSentEvent } from "mull/wire";

import type { Fault } from "./fault.ts";

export interface Altered {
  readonly events: readonly ServerSentEvent[];
  /** Where an event of the original now ends. */
  readonly placeOf: (original: number) => number;
}

/** Puts one or more events in the place of each. */
export const spreadEvents = (
  events: readonly ServerSentEvent[],
  spread: (event: ServerSentEvent) => readonly ServerSentEvent[],
): Altered => {
  const places = [0];
  const all: ServerSentEvent[] = [];
  for (const event of events) {
    all.push(...spread(event));
    places.push(all.length);
  }
  return { events: all, placeOf: (original) => places[original] ?? all.length };
};

/** An event of this many bytes without meaning: readers skip types that they do not know. */
const padding = (bytes: number, like: ServerSentEvent | undefined): ServerSentEvent => {
  const data = JSON.stringify({ type: "padding", padding: "x".repeat(bytes) });
  return like?.event === undefined ? { data } : { event: "padding", data };
};

/** Applies the faults that change events before they become bytes: each event twice, or a giant one. */
export const alterEvents = (
  events: readonly ServerSentEvent[],
  faults: readonly Fault[],
): Altered => {
  const giants = faults.flatMap((fault) =>
    fault.type === "giant" ? [padding(fault.bytes, events[0])] : [],
  );
  const copies = faults.some((fault) => fault.type === "duplicate") ? 2 : 1;
  const repeated = copies === 1 ? events : events.flatMap((event) => [event, event]);
  return {
    events: [...giants, ...repeated],
    placeOf: (original) => giants.length + original * copies,
  };
};
