import { describe, expect, it } from "vitest";
import { isMullError, type MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { Quirks } from "../../../types/quirks.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { openaiChat } from "../index.ts";

const origin = { wire: "openai-chat", provider: "acme", model: "m" } as const;

const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): string =>
  JSON.stringify({
    id: "c1",
    model: "m-1",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });
const call = (index: number, id: string | null, name: string | null, args: string): JsonObject => ({
  tool_calls: [{ index, id, function: { name, arguments: args } }],
});
const done = "[DONE]";

interface Run {
  readonly events: readonly StreamEvent[];
  readonly error: MullError | undefined;
  readonly partial: Reply;
  readonly isFinished: boolean;
}

function run(frames: readonly string[], quirks?: Quirks, event?: string): Run {
  let clock = 100;
  const decoder = openaiChat.decodeStream({
    origin,
    now: () => (clock += 5),
    newId: () => "made-here",
    hotReader: createHotReader,
    ...(quirks !== undefined && { quirks }),
  });
  const events: StreamEvent[] = [];
  let error: MullError | undefined;
  try {
    for (const frame of frames) decoder.push(frame, event, events);
    decoder.end(events);
  } catch (thrown) {
    if (!isMullError(thrown)) throw thrown;
    error = thrown;
  }
  return { events, error, partial: decoder.partial(), isFinished: decoder.finished() };
}

const replyOf = ({ events }: Run): Reply | undefined => {
  const last = events.at(-1);
  return last?.type === "finish" ? last.reply : undefined;
};
const partsOf = (frames: readonly string[], quirks?: Quirks) =>
  replyOf(run(frames, quirks))?.message.parts;

const text = (piece: string, more: JsonObject = {}): JsonObject => ({
  type: "reasoning.text",
  text: piece,
  index: 0,
  ...more,
});

const piece = (id: string): JsonObject => ({
  type: "reasoning.summary",
  summary: id,
  index: 0,
  id,
});

describe("a streamed answer", () => {
  it("R141 R156 gives one event a delta, and whole parts with their stamps", () => {
    const { events, isFinished } = run([
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "h" }),
      chunk({ reasoning_content: "m" }),
      chunk({ content: "a" }),
      chunk(call(0, "c1", "add", "")),
      chunk(call(0, null, null, '{"x":')),
      chunk(call(0, null, null, "")),
      chunk(call(0, null, null, "1}")),
      chunk({}, "tool_calls"),
      JSON.stringify({ id: "c1", choices: [], usage: { prompt_tokens: 1 } }),
      done,
    ]);
    const seal = { origin, data: { field: "reasoning_content" } };
    expect(events.slice(0, -1)).toEqual([
      { type: "start", id: "c1", model: "m-1" },
      { type: "thinking", index: 0, delta: "h" },
      { type: "thinking", index: 0, delta: "m" },
      {
        type: "part",
        index: 0,
        part: {
          type: "thinking",
          text: "hm",
          visibility: "full",
          seal,
          startedAt: 105,
          durationMs: 5,
        },
      },
      { type: "text", index: 1, delta: "a" },
      { type: "part", index: 1, part: { type: "text", text: "a" } },
      { type: "tool-call", index: 2, id: "c1", name: "add" },
      { type: "tool-input", index: 2, delta: '{"x":' },
      { type: "tool-input", index: 2, delta: "1}" },
      {
        type: "part",
        index: 2,
        part: { type: "tool-call", id: "c1", name: "add", input: { x: 1 } },
      },
    ]);
    expect(replyOf({ events } as Run)).toMatchObject({
      finish: { reason: "tool-calls" },
      usage: { input: 1 },
    });
    expect(isFinished).toBe(true);
  });

  it("ends with [DONE], or with the body behind a finish reason", () => {
    expect(replyOf(run([chunk({ content: "a" }), done]))?.finish).toEqual({ reason: "stop" });
    const late = run([chunk({ content: "a" }, "stop")]);
    expect([replyOf(late)?.finish.raw, late.isFinished]).toEqual(["stop", true]);
    expect(
      replyOf(run([chunk({ content: "a" }, "stop"), done, done, chunk({ content: "b" })]))?.message
        .parts,
    ).toHaveLength(1);
  });

  it("takes [DONE] for the end also between blanks", () => {
    expect(run([chunk({ content: "a" }), "  [DONE] \t"]).isFinished).toBe(true);
  });

  it("F-N4 takes [DONE] before any finish reason for an end only where there is an answer", () => {
    for (const frames of [
      [chunk({ role: "assistant", content: "" })],
      [chunk({ reasoning_content: "hm" })],
      [chunk({ content: "" }, "")],
    ]) {
      const { error } = run([...frames, done]);
      expect(error).toMatchObject({ category: "protocol", code: "truncated" });
      expect(error?.partial?.message.interrupted).toBe(true);
    }
    const called = run([chunk(call(0, "c", "f", "{}")), done]);
    expect(replyOf(called)?.finish.reason).toBe("tool-calls");
  });

  it("F-N4 takes an empty finish reason for none", () => {
    expect(run([chunk({ content: "a" }, "")]).error?.code).toBe("truncated");
    const frames = [chunk({ content: "a" }, ""), chunk({}, "length")];
    expect(replyOf(run(frames))?.finish).toEqual({ reason: "length", raw: "length" });
  });

  it("F-N4 F-N8 F-S17 a body that ends early is an error that keeps what came", () => {
    const { error } = run([
      chunk({ reasoning: "hm" }),
      chunk({ content: "a" }),
      chunk(call(0, "c", "f", '{"a')),
    ]);
    expect(error).toMatchObject({ category: "protocol", code: "truncated" });
    expect(error?.partial?.message).toMatchObject({
      interrupted: true,
      parts: [
        { type: "thinking", text: "hm", seal: { data: { field: "reasoning" } } },
        { type: "text", text: "a" },
        { type: "tool-call", input: {}, invalid: { raw: '{"a' }, cut: true, send: false },
      ],
    });
    expect(run([]).error?.code).toBe("empty_response");
    expect(run([done]).error?.code).toBe("empty_response");
  });

  it("F-S18 no seal of a thought that was cut", () => {
    const details = [{ type: "reasoning.text", text: "hm", signature: "half", index: 0 }];
    const { partial } = run([chunk({ reasoning_details: details })]);
    expect(partial.message.parts).toEqual([
      { type: "thinking", text: "hm", visibility: "full", startedAt: 105, cut: true, send: false },
    ]);
    const secret = [{ type: "reasoning.encrypted", data: "e" }];
    expect(run([chunk({ reasoning_details: secret })]).partial.message.parts).toMatchObject([
      { visibility: "hidden", cut: true },
    ]);
    expect(run([chunk({ refusal: "N" })]).partial.message.parts).toMatchObject([
      { refusal: true, cut: true, send: false },
    ]);
  });

  it("F-S8 what comes twice counts once", () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const start = chunk({ role: "assistant", content: "" });
    const whole = chunk(call(0, "c", "f", '{"a":1}'));
    const end = chunk({}, "stop", { usage });
    const reply = replyOf(run([start, start, whole, whole, end, end, done]));
    expect(reply?.message.parts).toEqual([
      { type: "tool-call", id: "c", name: "f", input: { a: 1 } },
    ]);
    expect(reply?.usage).toMatchObject({ input: 3, output: 2, total: 5 });
    const secret = { type: "reasoning.encrypted", data: "e", id: "r" };
    const twice = partsOf([
      chunk({ reasoning_details: [secret] }),
      chunk({ reasoning_details: [secret] }),
      chunk({}, "stop"),
      done,
    ]);
    expect(twice).toMatchObject([{ seal: { data: { reasoning_details: [secret] } } }]);
  });

  it("F-S11 names of the prototype are data", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const frames = names.map((name, index) => chunk(call(index, name, name, `{"${name}":1}`)));
    expect(
      partsOf([...frames, done])?.map(
        (part) =>
          part.type === "tool-call" && [part.id, part.name, Object.keys(part.input as object)],
      ),
    ).toEqual(names.map((name) => [name, name, [name]]));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("F-S14 invalid JSON is an error that does not quote it", () => {
    for (const frame of ['{"secret":', "[1]", "7"]) {
      const { error } = run([chunk({ content: "a" }), frame]);
      expect([error?.category, error?.code, error?.message]).toEqual([
        "protocol",
        "invalid_json",
        "chat.completion.chunk: the event is not a JSON object",
      ]);
      expect(error?.partial?.message.parts).toHaveLength(1);
    }
    expect(run(["{"], undefined, "odd").error?.message).toBe("odd: the event is not a JSON object");
  });

  it("F-S16 unknown frames, deltas and chunks are skipped or kept", () => {
    const block = { type: "reference", ids: [1] };
    const frames = [
      '{"type":"ping"}',
      '{"choices":[{"index":1,"delta":{"content":"other"}}]}',
      '{"choices":[{"index":0,"delta":7}]}',
      '{"choices":[7]}',
      chunk({ content: [block], novelty: 1 }),
      done,
    ];
    const reply = replyOf(run(frames));
    expect(reply?.message.parts).toEqual([
      { type: "opaque", wire: "openai-chat", kind: "reference", data: block },
    ]);
    expect(reply?.metadata).toEqual({ type: "ping", novelty: 1 });
  });

  it("F-R8 errors in the stream are thrown with what came, unless the answer was whole", () => {
    const error = { message: "boom", type: "server_error", code: null };
    const first = run([chunk({ content: "a" }), JSON.stringify({ error })]).error;
    expect(first).toMatchObject({ category: "server", message: "boom", retryable: true });
    expect(first?.partial?.message.parts).toMatchObject([{ text: "a", cut: true }]);
    expect(
      run([JSON.stringify({ message: "bad", code: 400 })], undefined, "error").error?.category,
    ).toBe("invalid_argument");
    const inChoice = JSON.stringify({
      choices: [
        { index: 0, error: { message: "up", code: 502 }, delta: {}, finish_reason: "error" },
      ],
    });
    expect(run([inChoice]).error?.category).toBe("server");
    const late = run([
      chunk({ content: "a" }, "length"),
      JSON.stringify({ error: { message: "Token limit reached", code: 400 } }),
      done,
    ]);
    expect(replyOf(late)?.finish).toEqual({
      reason: "length",
      raw: "length",
      note: "Token limit reached",
    });
  });

  it("reasoning_details: text pieces become one, encrypted ones stay apart, late ones keep their place", () => {
    const secret = { type: "reasoning.encrypted", data: "e", id: "r", index: 1 };
    const parts = partsOf([
      chunk({ reasoning: "h", reasoning_details: [text("h", { format: null, id: null })] }),
      chunk({ reasoning: "m", reasoning_details: [text("m", { signature: "", format: "f" })] }),
      chunk({ reasoning: "", reasoning_details: [text("", { signature: "sig" }), "odd"] }),
      chunk({ reasoning_details: [secret] }),
      chunk({ content: "a", reasoning_details: [] }),
      chunk({ reasoning_details: [{ ...secret, data: "late" }] }),
      chunk({ content: "b" }),
      done,
    ]);
    expect(parts).toMatchObject([
      {
        text: "hm",
        seal: {
          data: {
            field: "reasoning",
            reasoning_details: [{ ...text("hm"), format: "f", signature: "sig" }, "odd", secret],
          },
        },
      },
      { type: "text", text: "ab" },
      {
        type: "thinking",
        visibility: "hidden",
        seal: { data: { reasoning_details: [{ data: "late" }] } },
      },
    ]);
  });

  it("reasoning_details of different ids are different", () => {
    const parts = partsOf([
      chunk({ reasoning_details: [piece("a")] }),
      chunk({ reasoning_details: [piece("b")] }, "stop"),
      done,
    ]);
    expect(parts).toMatchObject([
      { text: "ab", seal: { data: { reasoning_details: [piece("a"), piece("b")] } } },
    ]);
  });

  it("F-S14 an escape that JSON does not know is found on the fast path too", () => {
    const frame = chunk({ content: "abc" });
    const { error } = run([frame, frame, frame.replace("abc", "a\\xc")]);
    expect([error?.code, error?.partial?.message.parts]).toMatchObject([
      "invalid_json",
      [{ text: "abcabc" }],
    ]);
  });

  it("P-A4 thinking between texts and calls stays in its place", () => {
    const kinds = partsOf([
      chunk({ reasoning: "1" }),
      chunk({ content: "2" }),
      chunk({ reasoning: "3" }),
      chunk({ refusal: "4" }),
      done,
    ]);
    expect(kinds?.map((part) => part.type)).toEqual(["thinking", "text", "thinking", "text"]);
  });

  it("P-D2 a clock that jumps back gives no negative duration", () => {
    const times = [50, 10];
    const decoder = openaiChat.decodeStream({
      origin,
      now: () => times.shift() ?? 0,
      newId: () => "x",
    });
    const events: StreamEvent[] = [];
    decoder.push(chunk({ reasoning: "h" }, "stop"), undefined, events);
    decoder.push(done, undefined, events);
    expect(events.at(-2)).toMatchObject({ part: { startedAt: 50, durationMs: 0 } });
  });

  it("a server that answers whole although asked to stream is understood", () => {
    const whole = JSON.stringify({
      choices: [{ index: 0, message: { reasoning: "hm", content: "a" }, finish_reason: "stop" }],
    });
    expect(partsOf([whole])).toMatchObject([{ text: "hm" }, { text: "a" }]);
  });

  it("P-E5 inline thinking is split while it streams", () => {
    const quirks: Quirks = { thinkTags: [["<think>", "</think>"]] };
    const parts = partsOf(
      [
        chunk({ content: "<thi" }),
        chunk({ content: "nk>h" }),
        chunk({ content: "m</thin" }),
        chunk({ content: "k>a<" }),
        done,
      ],
      quirks,
    );
    expect(parts).toMatchObject([
      { type: "thinking", text: "hm" },
      { type: "text", text: "a<" },
    ]);
  });
});
