import type { ServerSentEvent } from "mull/wire";

/** `event:` and `data:` lines, then an empty line. */
export const namedFrames = (events: readonly ServerSentEvent[]): readonly string[] =>
  events.map(({ event, data }) =>
    event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`,
  );

/** Google ends its lines with CR LF. */
export const windowsFrames = (events: readonly ServerSentEvent[]): readonly string[] =>
  events.map(({ data }) => `data: ${data}\r\n\r\n`);

/** Google without `alt=sse`: one JSON array over many lines, sent element by element. */
export const arrayFrames = (
  events: readonly ServerSentEvent[],
  position?: "later",
): readonly string[] => {
  if (events.length === 0) return ["[]"];
  return events.map(({ data }, i) => {
    const value = JSON.stringify(JSON.parse(data), null, 2);
    const opening = i === 0 && position === undefined ? "[" : ",\r\n";
    return `${opening}${value}\n${i === events.length - 1 ? "]" : ""}`;
  });
};
