import type { Reply, WireId } from "mull";
import { readExchange, encodeSse, mirrors } from "mull/wire";
import { describe, expect, test } from "vitest";

const deltas = 100_000;
const thought = "I go on and on about it, step after step. ".repeat(deltas / 2);
const answer = "So the answer is as long as that. ".repeat(deltas / 2);

const replyOn = (wire: WireId): Reply => ({
  message: {
    role: "assistant",
    origin: { wire, provider: "test", model: "m" },
    parts: [
      { type: "thinking", text: thought, visibility: "full" },
      { type: "text", text: answer },
    ],
  },
  finish: { reason: "stop" },
  usage: { input: 1, output: 2, total: 3 },
});

const pieces = (text: string): readonly string[] => {
  const size = (2 * text.length) / deltas;
  return Array.from({ length: deltas / 2 }, (_, at) => text.slice(at * size, (at + 1) * size));
};

/** Copying what is there for every delta would move hundreds of gigabytes: it would not end in time. */
describe("R163 text and thinking are put together in time that grows with their length", () => {
  test.each(Object.values(mirrors).map((mirror) => [mirror.id, mirror] as const))(
    "%s",
    (wire, mirror) => {
      const frames = mirror.encodeStream(replyOn(wire), {
        model: "m",
        id: "r1",
        created: 1,
        pieces,
      });
      expect(frames.length).toBeGreaterThanOrEqual(deltas);
      let seen = 0;
      const { message } = readExchange({
        wire,
        body: frames.map(encodeSse).join(""),
        chunkSize: 64 * 1024,
        onEvent: ({ type }) => (seen += type === "text" || type === "thinking" ? 1 : 0),
      });
      expect(seen).toBeGreaterThanOrEqual(deltas);
      expect(message.parts.map((part) => "text" in part && part.text)).toEqual([thought, answer]);
    },
  );
});
