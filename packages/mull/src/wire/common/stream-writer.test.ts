import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../../test/runs.ts";
import type { Reply, StreamEvent } from "../../types/event.ts";
import type { ServerSentEvent } from "../../types/http.ts";
import type { JsonObject } from "../../types/json.ts";
import { wireIds, type AssistantPart, type WireId } from "../../types/message.ts";
import { mirrors } from "../mirrors.ts";
import {
  contextOf,
  decode,
  eventsOf,
  originOf,
  replyIn,
  serving,
} from "../../../../../test/wires/event-streams.ts";
import { wires } from "../wires.ts";
import { parseToolInput } from "./tool-input.ts";
import { replyDecoders } from "../reply-decoders.ts";

/** What every wire can say of an answer. */
const essence = ({ message, finish, usage }: Reply): unknown => ({
  parts: message.parts
    .filter((part) => part.type !== "text" || part.text !== "")
    .map((part) =>
      part.type === "tool-call"
        ? { call: part.id, name: part.name, input: part.input, text: part.inputText }
        : { [part.type]: "text" in part ? part.text : "" },
    ),
  finish: finish.reason,
  usage: [usage.input, usage.cacheRead, usage.output, usage.thinking],
});

const words = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
const name = fc.stringMatching(/^[a-z_]{1,8}$/);
/** Arguments that `JSON.stringify` would write in another way among them. */
const args = fc.constantFrom(
  "{}",
  '{"a":1}',
  '{"id":12345678901234567890}',
  '{"price":1.0,"big":1e2}',
  '{"a":1,"a":2}',
  '{"text":"\u{1f600} }\\" {"}',
);
const count = fc.integer({ min: 1, max: 999 });

const answers = fc
  .record({
    thinking: fc.option(words, { nil: undefined }),
    text: fc.option(words, { nil: undefined }),
    calls: fc.array(fc.tuple(name, args), { minLength: 1, maxLength: 3 }),
    isCut: fc.boolean(),
    counts: fc.tuple(count, count, count, count),
  })
  .map(({ thinking, text: said, calls, isCut, counts }): Reply => {
    const parts: AssistantPart[] = [
      ...(thinking === undefined
        ? []
        : [{ type: "thinking", text: thinking, visibility: "full" } as const]),
      ...(said === undefined ? [] : [{ type: "text", text: said } as const]),
      ...(isCut && said !== undefined
        ? []
        : calls.map(([tool, json], at): AssistantPart => {
            const { input, inputText } = parseToolInput(json);
            const call = { type: "tool-call", id: `call_${at}`, name: tool, input } as const;
            return inputText === undefined ? call : { ...call, inputText };
          })),
    ];
    const [input, cacheRead, output, tokens] = counts;
    const calling = parts.some((part) => part.type === "tool-call");
    return {
      id: "resp_1",
      servedModel: "m",
      message: { role: "assistant", parts },
      finish: { reason: calling ? "tool-calls" : isCut ? "length" : "stop" },
      usage: { input, cacheRead, output, thinking: tokens },
    };
  });

const call = (id: string, input: JsonObject): AssistantPart => ({
  type: "tool-call",
  id,
  name: "look",
  input,
});

describe.each(wireIds)("R155 %s writes a stream while it arrives", (wire) => {
  const write = (events: readonly StreamEvent[]): readonly ServerSentEvent[] => {
    const { write: next } = mirrors[wire].openStream(serving());
    return events.flatMap((event) => next(event));
  };

  test("what was written is read as the same answer, however it was cut", () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 9 }), (reply, size) => {
        const read = replyIn(decode(wire, write(eventsOf(reply, size))));
        expect(essence(read)).toEqual(essence(reply));
        expect([read.id, read.servedModel]).toEqual(["resp_1", "m"]);
      }),
      { numRuns: runs(60) },
    );
  });

  test("every delta goes out at once", () => {
    fc.assert(
      fc.property(answers, (reply) => {
        const { write: next } = mirrors[wire].openStream(serving());
        for (const event of eventsOf(reply, 2)) {
          const sent = next(event)
            .map(({ data }) => data)
            .join("");
          // Google has calls whole.
          const isCall = event.type === "tool-input" && wire !== "google-generate";
          const isDelta = event.type === "text" || event.type === "thinking" || isCall;
          expect(sent).toContain(isDelta ? JSON.stringify(event.delta) : "");
        }
      }),
      { numRuns: runs(30) },
    );
  });

  test("arguments are written as they arrived, streamed and whole", () => {
    fc.assert(
      fc.property(answers, (reply) => {
        const streamed = replyIn(decode(wire, mirrors[wire].encodeStream(reply, serving())));
        expect(essence(streamed)).toEqual(essence(reply));
        const body = mirrors[wire].writeReply(reply, serving());
        const whole = replyDecoders[wire](JSON.parse(body), { ...contextOf(wire), text: body });
        expect(essence(whole)).toEqual(essence(reply));
      }),
      { numRuns: runs(60) },
    );
  });

  test.each(wireIds)("what came over %s goes on as it arrives", (source) => {
    fc.assert(
      fc.property(answers, (reply) => {
        const events = decode(source, mirrors[source].encodeStream(reply, serving()));
        expect(essence(replyIn(decode(wire, write(events))))).toEqual(essence(reply));
      }),
      { numRuns: runs(20) },
    );
  });

  test("arguments that come only with the whole call are written then", () => {
    const part = call("a", { n: 1 });
    const reply: Reply = {
      message: { role: "assistant", parts: [part] },
      finish: { reason: "tool-calls" },
      usage: { input: 1, output: 1 },
    };
    const read = decode(
      wire,
      write([
        { type: "tool-call", index: 0, id: "a", name: "look" },
        { type: "tool-input", index: 0, delta: "" },
        { type: "part", index: 0, part },
        { type: "finish", reply },
      ]),
    );
    expect(replyIn(read).message.parts).toMatchObject([part]);
  });

  test("calls whose arguments come by turns stay apart", () => {
    const parts = [call("a", { n: 1 }), call("b", { n: 2 })];
    const reply: Reply = {
      message: { role: "assistant", parts },
      finish: { reason: "tool-calls" },
      usage: { input: 1, output: 1 },
    };
    const read = decode(
      wire,
      write([
        { type: "tool-call", index: 0, id: "a", name: "look" },
        { type: "tool-call", index: 1, id: "b", name: "look" },
        { type: "tool-input", index: 0, delta: '{"n":' },
        { type: "tool-input", index: 1, delta: '{"n":2}' },
        { type: "tool-input", index: 0, delta: "1}" },
        ...parts.map((part, index) => ({ type: "part", index, part }) as const),
        { type: "finish", reply },
      ]),
    );
    expect(replyIn(read).message.parts).toMatchObject(parts);
  });

  test("a stream starts once", () => {
    const { write: next } = mirrors[wire].openStream(serving());
    next({ type: "start" });
    expect(next({ type: "start", id: "other" })).toEqual([]);
  });

  test("a sign of life is the service's own, or none", () => {
    const { write: next } = mirrors[wire].openStream(serving());
    next({ type: "start" });
    expect(next({ type: "heartbeat" }).map(({ event }) => event)).toEqual(
      wire === "anthropic-messages" ? ["ping"] : [],
    );
  });

  test("an error in the middle is the service's, and what came before is kept", () => {
    const { write: next, fail } = mirrors[wire].openStream(serving());
    const decoder = wires[wire].decodeStream(contextOf(wire));
    const read = (frames: readonly ServerSentEvent[]): void => {
      for (const { data, event } of frames) decoder.push(data, event, []);
    };
    read(next({ type: "text", index: 0, delta: "Half an" }));
    const type = wire === "google-generate" ? "UNAVAILABLE" : "server_error";
    const failed = fail({ status: 503, type, message: "No room left." });
    expect(() => read(failed)).toThrow("No room left.");
    expect(decoder.partial().message.parts).toMatchObject([{ type: "text", text: "Half an" }]);
  });

  test("what other wires sealed or said in their own words does not leak", () => {
    const other = wireIds.find((id) => id !== wire) as WireId;
    const seal = { origin: originOf(other), data: { leak: "leak", message: { leak: 1 } } };
    const parts: readonly AssistantPart[] = [
      { type: "thinking", text: "Hm.", visibility: "full", seal },
      { type: "text", text: "Yes.", seal, extra: { wire: other, fields: { leak: 1 } } },
      { type: "opaque", wire: other, kind: "leak", data: { type: "leak" } },
      {
        type: "tool-call",
        id: "c",
        name: "look",
        input: {},
        seal,
        extra: { wire: other, fields: { leak: 1 } },
      },
    ];
    const reply: Reply = {
      message: { role: "assistant", parts, origin: originOf(other) },
      finish: { reason: "tool-calls", raw: "leak" },
      usage: { input: 1, output: 1, raw: { leak: 1 } },
      metadata: { leak: 1 },
    };
    for (const frames of [
      write(eventsOf(reply, 4)),
      mirrors[wire].encodeStream(reply, serving()),
      [{ data: mirrors[wire].writeReply(reply, serving()) }],
    ])
      expect(frames.map(({ data }) => data).join("\n")).not.toContain("leak");
  });
});
