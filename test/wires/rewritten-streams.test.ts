import type { Reply, WireId } from "mull";
import { encodeSse, mirrors, readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";

import { outcomeOf, recordedStreams, wireIds } from "./streams.ts";

/** What an answer says on every wire; how a wire cuts it into parts is its own. */
const essence = ({ message: { parts }, finish, usage }: Reply): unknown => ({
  text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  thinking: parts.map((part) => (part.type === "thinking" ? part.text : "")).join(""),
  calls: parts.flatMap((part) =>
    part.type === "tool-call" ? [[part.name, part.input, part.inputText]] : [],
  ),
  // Nobody knows of a refusal before its end; Google and OpenAI then tell it as a filter.
  finish: finish.reason === "refusal" ? "content-filter" : finish.reason,
  usage: [usage.input ?? 0, usage.cacheRead ?? 0, usage.output ?? 0, usage.thinking ?? 0],
});

/** A stream of one wire as the mirror of another writes it, event by event. */
const rewritten = (
  from: WireId,
  to: WireId,
  body: Uint8Array,
): { readonly before: Reply; readonly after: Reply } => {
  const { write } = mirrors[to].openStream({
    model: "m",
    id: "resp_1",
    created: 1,
    pieces: (text) => [text],
  });
  let frames = "";
  const before = readExchange({
    wire: from,
    body,
    stream: true,
    onEvent: (event) => {
      frames += write(event)
        .map((frame) => encodeSse(frame))
        .join("");
    },
  });
  return { before, after: readExchange({ wire: to, body: frames, stream: true }) };
};

const whole = recordedStreams.filter(
  ({ wire, bytes }) => outcomeOf(wire, bytes).reply !== undefined,
);

describe.each(wireIds)("R155 recorded streams, written anew for %s", (to) => {
  test.each(whole.map((stream) => [stream.name, stream] as const))("%s", (_name, stream) => {
    const { before, after } = rewritten(stream.wire, to, stream.bytes);
    expect(essence(after)).toEqual(essence(before));
  });
});
