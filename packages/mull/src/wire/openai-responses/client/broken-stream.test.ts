import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../../types/event.ts";
import { limits } from "../../common/limits.ts";
import { decodeStream } from "./decode-stream.ts";
import {
  context,
  type Frame,
  run,
  replyOf,
  partialOf,
  created,
  completed,
  added,
  done,
  delta,
  thought,
  sealedThought,
  message,
  answer,
  call,
  turn,
  number,
} from "../testing/frames.ts";

describe("broken streams", () => {
  it("F-S8: repeated events double nothing", () => {
    const once = number(turn);
    const twice = once.flatMap((frame) => [frame, frame]);
    expect(replyOf(run(twice))).toEqual(replyOf(run(once)));
    expect(run(twice).events).toEqual(run(once).events);
    const starts = turn.flatMap((frame) => (/delta/.test(frame.type) ? [frame] : [frame, frame]));
    expect(run(starts).events).toEqual(run(turn).events);
  });

  it("F-S8: sequence numbers that never rise mean nothing", () => {
    const still = turn.map((frame) => Object.assign({}, frame, { sequence_number: 0 }));
    expect(run(still).events).toEqual(run(turn).events);
  });

  it("F-S9: block 1 before block 0 keeps the order of the service", () => {
    const outcome = run([created, done(1, answer), done(0, sealedThought), completed]);
    expect(replyOf(outcome).message.parts.map(({ type }) => type)).toEqual(["thinking", "text"]);
  });

  it.each([
    [delta("output_text", 0, "x"), "response.output_text.delta"],
    [{ type: "response.output_text.delta", delta: "x" }, "response.output_text.delta"],
    [added(7, message), "response.output_item.added"],
    [added(-1, message), "response.output_item.added"],
    [done(0.5, message), "response.output_item.done"],
  ])("F-S9: %j is impossible, and named", (frame, name) => {
    const { error } = run([created, frame]);
    expect(error).toMatchObject({ category: "protocol", code: "impossible_event" });
    expect(error?.message).toContain(name);
  });

  it("F-S9: a delta of the wrong kind is impossible; late ones and those of unknown items are skipped", () => {
    expect(run([added(0, call), delta("output_text", 0, "x")]).error?.category).toBe("protocol");
    const late = [...turn.slice(0, -1), delta("output_text", 1, "!"), completed];
    expect(replyOf(run(late))).toEqual(replyOf(run(turn)));
    const unknown = [
      added(0, { type: "new_item" }),
      delta("output_text", 0, "x"),
      done(0, { type: "new_item" }),
    ];
    expect(replyOf(run([...unknown, completed])).message.parts).toMatchObject([
      { kind: "new_item" },
    ]);
  });

  it("F-S9: more blocks than the limit are refused", () => {
    const many = Array.from({ length: limits.blocks + 1 }, (_, at) => added(at, thought));
    expect(run(many).error?.message).toContain(String(limits.blocks));
  });

  it("F-S11: names of the prototype stay data", () => {
    const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
    for (const name of names) {
      const args = `{"${name}":1}`;
      const item = `{"type":"function_call","id":"fc_1","call_id":"${name}","name":"${name}","arguments":${JSON.stringify(args)},"${name}":{"x":1}}`;
      const frame = `{"type":"response.output_item.done","output_index":0,"item":${item}}`;
      const response = `{"type":"response.completed","response":{"status":"completed","${name}":{"y":1}}}`;
      const reply = replyOf(run([frame, response]));
      expect(JSON.stringify(reply.message.parts)).toContain(`"input":{"${name}":1}`);
      expect(JSON.stringify(reply.message.parts)).toContain(`"${name}":{"x":1}`);
      expect(JSON.stringify(reply.metadata)).toBe(`{"${name}":{"y":1}}`);
      expect(({} as Record<string, unknown>)["y"]).toBeUndefined();
    }
  });

  it("F-S14: invalid JSON is named, not quoted", () => {
    const decoder = decodeStream(context);
    const push = (): void => decoder.push('{"secret":', "response.output_text.delta", []);
    expect(push).toThrow("the event response.output_text.delta is not valid JSON");
    expect(run(["{secret"]).error?.message).toBe("the event message is not valid JSON");
  });

  it("F-S16: unknown events, values and markers are skipped", () => {
    const noise: readonly (Frame | string)[] = [
      "[DONE]",
      "null",
      "{}",
      { type: "ping" },
      { type: "response.new.delta", delta: "x" },
      { type: "response.content_part.added", output_index: 9, content_index: 0 },
      { type: "response.content_part.added", output_index: 0, content_index: 0 },
    ];
    const noisy = turn.flatMap((frame) =>
      frame.type === "response.completed" ? [frame, ...noise] : [...noise, frame],
    );
    expect(run(noisy).events).toEqual(run(turn).events);
  });

  it("F-S17 F-S18 F-S20: cut anywhere, finished parts stay whole and the open one is never sent", () => {
    for (let at = 0; at < turn.length - 1; at++) {
      const { error } = run(turn.slice(0, at + 1));
      expect(error).toMatchObject({ category: "protocol", code: "truncated", provider: "openai" });
      const parts = error?.partial?.message.parts ?? [];
      expect(error?.partial?.message.interrupted).toBe(true);
      expect(JSON.stringify(parts)).not.toContain('"gAAA"');
      const cut = parts.filter((part) => "cut" in part);
      expect(cut.every((part) => part.send === false && part.seal === undefined)).toBe(true);
      expect(cut.length).toBeLessThan(2);
    }
    expect(partialOf(run(turn.slice(0, 4))).message.parts).toEqual([
      {
        type: "thinking",
        text: "Adding.",
        visibility: "summary",
        cut: true,
        send: false,
        startedAt: 1000,
        durationMs: 0,
      },
    ]);
    expect(partialOf(run(turn.slice(0, 9))).message.parts[1]).toEqual({
      type: "text",
      text: "It is ",
      cut: true,
      send: false,
    });
    expect(partialOf(run(turn.slice(0, 13))).message.parts[2]).toMatchObject({
      id: "call_1",
      input: {},
      invalid: { raw: '{"a"' },
      cut: true,
    });
  });

  it("F-S17: cut refusals and plain thoughts keep their kind", () => {
    const frames = [
      added(0, message),
      delta("refusal", 0, "No", { content_index: 0 }),
      added(1, thought),
      delta("reasoning_text", 1, "Hm", { content_index: 0 }),
      added(2, { ...call, name: undefined }),
    ];
    expect(partialOf(run(frames)).message.parts).toMatchObject([
      { refusal: true, cut: true },
      { visibility: "full", cut: true },
      { name: "", cut: true },
    ]);
  });

  it("F-S20 F-S21: arguments that aren't usable JSON are kept as they came", () => {
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    for (const raw of ["{", "[1]", deep]) {
      const { message: read } = replyOf(run([done(0, { ...call, arguments: raw }), completed]));
      expect(read.parts).toMatchObject([{ input: {}, invalid: { raw } }]);
    }
  });

  it("F-S23: lone surrogates survive", () => {
    const text = "a\ud800b";
    const content = [{ type: "output_text", text }];
    const frames = [
      added(0, message),
      delta("output_text", 0, "a", { content_index: 0 }),
      delta("output_text", 0, "\ud800", { content_index: 0 }),
      delta("output_text", 0, "b", { content_index: 0 }),
      done(0, { ...message, content }),
      completed,
    ];
    expect(replyOf(run(frames)).message.parts).toMatchObject([{ text }]);
  });

  it.each([
    { type: "error", code: "server_error", message: "Broken." },
    { type: "error", error: { type: "server_error", message: "Broken." } },
    { type: "response.failed", response: { error: { code: "server_error", message: "Broken." } } },
    '{"error":{"code":"server_error","message":"Broken."}}',
  ])("F-R8: %j is thrown with what had arrived", (frame) => {
    const { error } = run([...turn.slice(0, 5), frame]);
    expect(error).toMatchObject({
      category: "server",
      code: "server_error",
      message: "Broken.",
      retryable: true,
    });
    expect(error?.partial?.message.parts).toHaveLength(1);
  });

  it("tell what arrived at any time, and the whole at the end", () => {
    const decoder = decodeStream(context);
    const out: StreamEvent[] = [];
    expect(decoder.partial().message.parts).toEqual([]);
    for (const frame of turn) decoder.push(JSON.stringify(frame), undefined, out);
    expect(decoder.finished()).toBe(true);
    decoder.push("{broken", undefined, out);
    decoder.end(out);
    expect(decoder.partial()).toEqual(replyOf({ events: out }));
  });
});
