import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../../test/runs.ts";
import type { Reply, StreamEvent } from "../../types/event.ts";
import type { ServerSentEvent } from "../../types/http.ts";
import type { JsonObject } from "../../types/json.ts";
import { wireIds, type AssistantPart, type Origin, type WireId } from "../../types/message.ts";
import type { DecodeContext, ServeContext } from "../../types/wire.ts";
import { mirrors } from "../../wire.ts";
import { wires } from "../wires.ts";
import { parseToolInput } from "./tool-input.ts";

const originOf = (wire: WireId): Origin => ({ wire, provider: "p", model: "m" });
const contextOf = (wire: WireId): DecodeContext => ({
  origin: originOf(wire),
  now: () => 0,
  newId: () => "made-here",
});
/** Whole characters: half of one is no text. */
const inPieces =
  (size: number) =>
  (whole: string): readonly string[] =>
    whole.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
const serving = (size = 3): ServeContext => ({
  model: "served",
  id: "resp_1",
  created: 1,
  pieces: inPieces(size),
});

const decode = (wire: WireId, frames: readonly ServerSentEvent[]): readonly StreamEvent[] => {
  const decoder = wires[wire].decodeStream(contextOf(wire));
  const events: StreamEvent[] = [];
  for (const { data, event } of frames) decoder.push(data, event, events);
  decoder.end(events);
  return events;
};

const replyIn = (events: readonly StreamEvent[]): Reply => {
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error("the stream did not finish");
  return last.reply;
};

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

const text = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
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
    thinking: fc.option(text, { nil: undefined }),
    text: fc.option(text, { nil: undefined }),
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

/** The events of an answer as they would arrive, every text cut into pieces of a size. */
const eventsOf = (reply: Reply, size: number): readonly StreamEvent[] => [
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
        const whole = wires[wire].decode(JSON.parse(body), { ...contextOf(wire), text: body });
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

const live = (wire: WireId, part: AssistantPart, more: Partial<Reply> = {}): Reply => {
  const reply: Reply = {
    message: { role: "assistant", parts: [part] },
    finish: { reason: "stop" },
    usage: { input: 1, output: 1 },
    ...more,
  };
  const { write } = mirrors[wire].openStream(serving());
  return replyIn(
    decode(
      wire,
      eventsOf(reply, 2).flatMap((event) => write(event)),
    ),
  );
};

describe("R155 what only one wire has", () => {
  test("Anthropic: signature and citations behind the text they belong to", () => {
    const wire = "anthropic-messages";
    const sealed: AssistantPart = {
      type: "thinking",
      text: "Hm, yes.",
      visibility: "full",
      seal: { origin: originOf(wire), data: { signature: "sig" } },
    };
    expect(live(wire, sealed).message.parts).toMatchObject([sealed]);
    const cited: AssistantPart = {
      type: "text",
      text: "So they say.",
      extra: { wire, fields: { citations: [{ title: "a" }] } },
    };
    expect(live(wire, cited).message.parts).toEqual([cited]);
    const told = live(wire, cited, { metadata: { diagnostics: { a: 1 }, container: { id: "c" } } });
    expect(told.metadata).toEqual({ diagnostics: { a: 1 }, container: { id: "c" } });
  });

  test("Google: a signature behind streamed text stands on an empty part", () => {
    const wire = "google-generate";
    const seal = { origin: originOf(wire), data: { thoughtSignature: "sig" } };
    expect(live(wire, { type: "text", text: "Yes.", seal }).message.parts).toEqual([
      { type: "text", text: "Yes." },
      { type: "text", text: "", seal },
    ]);
  });

  test("Responses: encrypted content comes with the item, streamed or not", () => {
    const wire = "openai-responses";
    const data = { id: "rs_1", encrypted_content: "seal", summary: [] };
    const seal = { origin: originOf(wire), data };
    const shown = live(wire, { type: "thinking", text: "Hm, yes.", visibility: "full", seal });
    expect(shown.message.parts[0]?.seal?.data["encrypted_content"]).toBe("seal");
    const hidden: AssistantPart = { type: "thinking", text: "", visibility: "hidden", seal };
    expect(live(wire, hidden).message.parts[0]?.seal?.data).toMatchObject(data);
  });

  test("Responses: summary and content are numbered apart, and items need no id", () => {
    const wire = "openai-responses";
    const data = {
      id: "rs_1",
      summary: [
        { type: "summary_text", text: "A" },
        { type: "summary_text", text: "B" },
      ],
      content: [{ type: "reasoning_text", text: "C" }],
    };
    const item = { type: "compaction", encrypted_content: "x" };
    const parts: readonly AssistantPart[] = [
      { type: "thinking", text: "C", visibility: "full", seal: { origin: originOf(wire), data } },
      { type: "opaque", wire, kind: "compaction", data: item },
    ];
    const reply: Reply = {
      message: { role: "assistant", parts },
      finish: { reason: "stop" },
      usage: {},
    };
    const frames = mirrors[wire]
      .encodeStream(reply, serving())
      .map(({ data: frame }) => JSON.parse(frame) as JsonObject);
    const deltas = frames.filter(({ delta }) => delta !== undefined);
    expect(deltas.map((frame) => [frame["summary_index"], frame["content_index"]])).toEqual([
      [0, undefined],
      [1, undefined],
      [undefined, 0],
    ]);
    expect(frames.filter(({ type }) => type === "response.output_item.done").at(-1)).toMatchObject({
      item,
    });
  });

  test("Responses: a refusal that is streamed before it is known stays a text", () => {
    const read = live("openai-responses", { type: "text", text: "No.", refusal: true });
    expect(read.message.parts).toMatchObject([{ type: "text", text: "No." }]);
    expect(read.message.parts[0]).not.toHaveProperty("refusal");
  });

  test("Chat: details beside a thought say all of it", () => {
    const wire = "openai-chat";
    const details = [{ type: "reasoning.text", text: "Hm." }];
    const data = { field: "reasoning_details", reasoning_details: details };
    const part: AssistantPart = {
      type: "thinking",
      text: "Hm.",
      visibility: "full",
      seal: { origin: originOf(wire), data },
    };
    const reply: Reply = {
      message: { role: "assistant", parts: [part] },
      finish: { reason: "stop" },
      usage: {},
    };
    const frames = mirrors[wire].encodeStream(reply, serving());
    expect(frames.filter(({ data: frame }) => frame.includes("Hm."))).toHaveLength(1);
    expect(replyIn(decode(wire, frames)).message.parts).toMatchObject([part]);
  });

  test("Google: a call whose arguments are no object keeps no text", () => {
    const text =
      '{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":"1.0"}}]}]}';
    const body = JSON.parse(text) as JsonObject;
    const path = "/v1beta/models/m:generateContent";
    const { messages } = mirrors["google-generate"].decodeRequest({
      path,
      headers: {},
      body,
      text,
    });
    expect(messages[0]?.parts[0]).not.toHaveProperty("inputText");
  });

  test("Chat: what is said about the whole answer comes with its end", () => {
    const said = { service_tier: "flex" };
    const read = live("openai-chat", { type: "text", text: "Yes." }, { metadata: said });
    expect(read.metadata).toMatchObject(said);
  });

  test.each(["openai-chat", "openai-responses"] as const)("%s: custom tools get text", (wire) => {
    const fields = { type: "custom", name: "shell", custom: { name: "shell" } };
    const request = {
      model: "m",
      messages: [],
      thinking: { type: "default" },
      show: false,
      stream: true,
      tools: [{ vendor: { wire, fields } }],
    } as const;
    const part: AssistantPart = { type: "tool-call", id: "c", name: "shell", input: "ls -l" };
    const { write } = mirrors[wire].openStream({ ...serving(), request });
    const reply: Reply = {
      message: { role: "assistant", parts: [part] },
      finish: { reason: "tool-calls" },
      usage: {},
    };
    const events: readonly StreamEvent[] = [
      { type: "tool-call", index: 0, id: "c", name: "shell" },
      { type: "tool-input", index: 0, delta: "ls -l" },
      { type: "part", index: 0, part },
      { type: "finish", reply },
    ];
    const read = replyIn(
      decode(
        wire,
        events.flatMap((event) => write(event)),
      ),
    );
    expect(read.message.parts).toMatchObject([part]);
  });
});
