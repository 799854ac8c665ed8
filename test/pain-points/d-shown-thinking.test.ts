import {
  compose,
  isMullError,
  type AssistantPart,
  type Reply,
  type StreamEvent,
  type WireId,
} from "mull";
import { readExchange, resolveChoice, encodeSse, mirrors, type WireMirror } from "mull/wire";
import { describe, expect, test } from "vitest";
import { user } from "./kit.ts";

const pairs = Object.values(mirrors).map((mirror) => [mirror.id, mirror] as const);

const thinking: AssistantPart = { type: "thinking", text: "first this, then", visibility: "full" };
const followers: readonly AssistantPart[] = [
  { type: "text", text: "done it is" },
  { type: "tool-call", id: "call_1", name: "get_weather", input: { city: "Oslo" } },
];

const pieces = (text: string): readonly string[] => text.match(/\S+\s*/g) ?? [];

const framesOf = (mirror: WireMirror, parts: readonly AssistantPart[]): readonly string[] => {
  const reply: Reply = {
    message: {
      role: "assistant",
      parts,
      origin: { wire: mirror.id, provider: "test", model: "m" },
    },
    finish: { reason: "stop" },
    usage: { input: 1, output: 1, total: 2 },
  };
  return mirror
    .encodeStream(reply, { model: "m", id: "r1", created: 1, pieces })
    .map((frame) => encodeSse(frame));
};

/** The events of a body, and the parts it leaves when it breaks. */
function read(
  wire: WireId,
  frames: readonly string[],
): { readonly events: readonly StreamEvent[]; readonly left: readonly AssistantPart[] } {
  const events: StreamEvent[] = [];
  const onEvent = (event: StreamEvent): unknown => events.push(event);
  try {
    const { message } = readExchange({ wire, body: frames.join(""), stream: true, onEvent });
    return { events, left: message.parts };
  } catch (error) {
    if (!isMullError(error)) throw error;
    return { events, left: error.partial?.message.parts ?? [] };
  }
}

const endOfThinking = (events: readonly StreamEvent[]): number =>
  events.findIndex((event) => event.type === "part" && event.part.type === "thinking");

describe.each(pairs)("P-D4 thinking ends on %s", (wire, mirror) => {
  test.each(followers.map((part) => [part.type, part] as const))(
    "before the %s behind it begins",
    (type, follower) => {
      const { events } = read(wire, framesOf(mirror, [thinking, follower]));
      const end = endOfThinking(events);
      const lastDelta = events.findLastIndex((event) => event.type === "thinking");
      const next = events.findIndex((event) => event.type === type);
      expect([end > lastDelta, next > end]).toEqual([true, true]);
    },
  );

  test("with an answer that is nothing else", () => {
    const { events } = read(wire, framesOf(mirror, [thinking]));
    const finish = events.findIndex((event) => event.type === "finish");
    const end = endOfThinking(events);
    expect([end >= 0, finish > end]).toEqual([true, true]);
  });

  test("with the connection: what was read stays, marked as cut", () => {
    const frames = framesOf(mirror, [thinking, followers[0]!]);
    const at = frames.findIndex((frame) => frame.includes("this, "));
    const { left } = read(wire, frames.slice(0, at + 1));
    expect(left).toMatchObject([
      { type: "thinking", text: "first this, ", cut: true, send: false },
    ]);
  });
});

const bodyFor = (ref: string): unknown =>
  compose(resolveChoice(ref), { messages: [user("2+2?")] }).encoded.body;

describe("P-D1 P-D6 thinking that can be seen is asked for", () => {
  test.each(["min", "low", "med", "high", "max"])("at %s on every vendor", (level) => {
    const google = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
    expect(bodyFor(`gemini-2.5-flash/${level}`)).toMatchObject(google);
    expect(bodyFor(`gemini-3.8-flash/${level}`)).toMatchObject(google);
    expect(bodyFor(`claude-opus-5-5/${level}`)).toMatchObject({
      thinking: { display: "summarized" },
    });
    expect(bodyFor(`gpt-6-sol/${level}`)).toMatchObject({ reasoning: { summary: "auto" } });
  });
});
