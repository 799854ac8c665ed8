import type { Origin, Reply, StreamEvent, WireId } from "mull";
import { createHotReader } from "../../packages/mull/src/wire/common/hot-delta.ts";
import { wires, type DecodeContext, type ServeContext, type ServerSentEvent } from "mull/wire";

export const originOf = (wire: WireId): Origin => ({ wire, provider: "p", model: "m" });
export const contextOf = (wire: WireId): DecodeContext => ({
  origin: originOf(wire),
  now: () => 0,
  newId: () => "made-here",
  hotReader: createHotReader,
});
/** Whole characters: half of one isn't text. */
export const inPieces =
  (size: number) =>
  (whole: string): readonly string[] =>
    whole.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
export const serving = (size = 3): ServeContext => ({
  model: "served",
  id: "resp_1",
  created: 1,
  pieces: inPieces(size),
});

export const decode = (
  wire: WireId,
  frames: readonly ServerSentEvent[],
): readonly StreamEvent[] => {
  const decoder = wires[wire].decodeStream(contextOf(wire));
  const events: StreamEvent[] = [];
  for (const { data, event } of frames) decoder.push(data, event, events);
  decoder.end(events);
  return events;
};

export const replyIn = (events: readonly StreamEvent[]): Reply => {
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error("the stream did not finish");
  return last.reply;
};

/** The events of an answer as they would arrive, every text cut into pieces of a size. */
export const eventsOf = (reply: Reply, size: number): readonly StreamEvent[] => [
  { type: "start", id: "resp_1", model: "m" },
  ...reply.message.parts.flatMap((part, index): readonly StreamEvent[] => {
    const last = { type: "part", index, part } as const;
    if (part.type === "text" || part.type === "thinking") {
      const { type } = part;
      return [...inPieces(size)(part.text).map((delta) => ({ type, index, delta })), last];
    }
    if (part.type !== "tool-call") return [last];
    const json = part.inputText ?? JSON.stringify(part.input);
    return [
      { type: "tool-call", index, id: part.id, name: part.name },
      ...inPieces(size)(json).map((delta) => ({ type: "tool-input", index, delta }) as const),
      last,
    ];
  }),
  { type: "finish", reply },
];
