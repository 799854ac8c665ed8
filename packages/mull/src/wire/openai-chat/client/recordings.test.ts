import { describe, expect, it } from "vitest";
import { isMullError, type ErrorCategory, type MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { Quirks } from "../../../types/quirks.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import {
  decodeBody,
  fingerprint,
  finishOf,
  readRecordings,
  type Recording,
} from "../../../../../../test/recordings.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decodeStream } from "./decode-stream.ts";
import { openaiChat } from "../index.ts";
import { decode } from "./decode.ts";

const recordings = readRecordings("openai-chat");

const contextOf = (provider: string, quirks?: Quirks): DecodeContext => {
  let ids = 0;
  return {
    origin: { wire: "openai-chat", provider, model: "m" },
    now: () => 0,
    newId: () => `local-${++ids}`,
    ...(quirks !== undefined && { quirks }),
  };
};

function readStream(
  { provider, response }: Recording,
  size: number,
  quirks?: Quirks,
  isFast = true,
): { events: readonly StreamEvent[]; error: MullError | undefined } {
  const events: StreamEvent[] = [];
  const decoder = decodeStream({
    ...contextOf(provider, quirks),
    ...(isFast && { hotReader: createHotReader }),
  });
  try {
    decodeBody(response.body_text, decoder, events, size);
  } catch (error) {
    if (!isMullError(error)) throw error;
    return { events, error };
  }
  return { events, error: undefined };
}

const join = (parts: readonly AssistantPart[], pick: (part: AssistantPart) => string): string =>
  parts.map(pick).join("");

/** Without tags and white space, which belong to neither side. */
const bare = (all: string): string => all.replaceAll(/<\/?think>|\s/g, "");

function sealed(parts: readonly AssistantPart[], key: "signature" | "data"): readonly string[] {
  return parts.flatMap((part) => {
    const details = part.seal?.data["reasoning_details"];
    return (Array.isArray(details) ? details : [])
      .filter(isJsonObject)
      .map((detail) => detail[key])
      .filter((value): value is string => typeof value === "string" && value !== "");
  });
}

function summarise(id: string, reply: Reply): { readonly text: string; readonly thinking: string } {
  const { parts } = reply.message;
  const summary = {
    recording: id,
    thinking: join(parts, (part) => (part.type === "thinking" ? part.text : "")),
    text: join(parts, (part) => (part.type === "text" && !part.refusal ? part.text : "")),
    refusal: join(parts, (part) => (part.type === "text" && part.refusal ? part.text : "")),
    calls: parts.flatMap((part) =>
      part.type === "tool-call"
        ? [
            {
              id: part.localId ? "" : part.id,
              name: part.name,
              args: part.invalid?.raw ?? part.input,
            },
          ]
        : [],
    ),
    signatures: sealed(parts, "signature").map(fingerprint),
    encrypted: sealed(parts, "data").length,
    finish: reply.finish.raw ?? null,
    usage: reply.usage.raw ?? null,
    model: reply.servedModel,
    id: reply.id,
  };
  return summary;
}

const summariseExpected = ({ id, expected }: Recording): object => ({
  recording: id,
  thinking: expected.thinking,
  text: expected.text,
  refusal: expected.refusal ?? "",
  // Models write `null` for no arguments: an empty object to the tool. A nameless call is none.
  calls: expected.tool_calls
    .filter((call) => call.name !== "")
    .map((call) => ({
      ...call,
      args: call.args === "null" ? {} : call.args,
    })),
  signatures: expected.signature_sha256 ?? [],
  encrypted: expected.encrypted_details ?? 0,
  finish: expected.finish ?? null,
  usage: expected.usage ?? null,
  model: expected.model,
  id: expected.id || undefined,
});

const answered = recordings.filter(
  ({ response, expected }) => response.status < 400 && !expected.error,
);
const isTruncated = ({ expected }: Recording): boolean =>
  expected.finish == null && expected.terminal === undefined && !expected.in_stream_error;
const isBroken = (recording: Recording): boolean =>
  recording.expected.in_stream_error !== undefined && recording.expected.finish == null;

describe("recorded answers", () => {
  it("R113 whole bodies decode to what they say", () => {
    for (const recording of answered.filter(({ stream }) => !stream)) {
      const body: unknown = JSON.parse(recording.response.body_text);
      const reply = decode(body, contextOf(recording.provider));
      expect(summarise(recording.id, reply)).toEqual(summariseExpected(recording));
    }
  });

  it("R152 R153 R154 F-S1 streams decode to what they say, however they are cut", () => {
    for (const recording of answered.filter(({ stream }) => stream)) {
      if (isTruncated(recording) || isBroken(recording)) continue;
      const { events, error } = readStream(recording, Number.MAX_SAFE_INTEGER);
      expect([recording.id, error]).toEqual([recording.id, undefined]);
      expect(summarise(recording.id, finishOf(events))).toEqual(summariseExpected(recording));
      expect(readStream(recording, 777).events).toEqual(events);
      expect(readStream(recording, 64 * 1024, undefined, false).events).toEqual(events);
    }
  });

  it("R156 deltas concatenate to the parts they belong to", () => {
    for (const recording of answered.filter(({ stream }) => stream)) {
      const { events } = readStream(recording, 4096);
      const sums = new Map<number, string>();
      const wholes = new Map<number, string>();
      for (const event of events) {
        if (event.type === "text" || event.type === "thinking") {
          sums.set(event.index, (sums.get(event.index) ?? "") + event.delta);
        } else if (event.type === "part" && "text" in event.part && event.part.text !== "") {
          wholes.set(event.index, event.part.text);
        }
      }
      const finished = [...sums].filter(([index]) => wholes.has(index));
      expect({ id: recording.id, finished }).toEqual({ id: recording.id, finished: [...wholes] });
    }
  });

  it("F-N4 F-S17 a stream that ends without its end is an error that keeps what came", () => {
    for (const recording of answered.filter((one) => one.stream && isTruncated(one))) {
      const { error } = readStream(recording, 4096);
      expect(error?.code).toBe("truncated");
      expect(error?.partial?.message.parts.at(-1)).toMatchObject({ type: "tool-call", cut: true });
    }
  });

  it("F-R8 errors in the middle of a stream are typed and keep what came", () => {
    for (const recording of answered.filter(isBroken)) {
      const { error } = readStream(recording, 4096);
      expect(error?.message).toBe(recording.expected.in_stream_error?.message);
      expect(error?.category).toBe("invalid_argument");
      expect(error?.partial?.message.parts[0]).toMatchObject({
        type: "thinking",
        text: recording.expected.thinking,
        send: false,
      });
    }
  });

  it("D9 usage adds up, or says why not", () => {
    const wrong = answered
      .filter(({ stream }) => !stream)
      .filter(({ provider, response, expected }) => {
        const reply = decode(JSON.parse(response.body_text), contextOf(provider));
        const { usage } = reply;
        const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0, thinking = 0 } = usage;
        const sum = input + cacheRead + cacheWrite + output + thinking;
        const isExplained = usage.total === undefined || usage.warning !== undefined;
        const isReported =
          usage.thinking === expected.reasoning_tokens ||
          usage.thinkingSource === "derived" ||
          expected.reasoning_tokens === 0;
        return !(isExplained || sum === usage.total) || !isReported;
      });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it("P-E5 tags split over chunks never leak into the answer", () => {
    const quirks: Quirks = { thinkTags: [["<think>", "</think>"]] };
    for (const recording of answered.filter(({ features }) =>
      features.includes("think_tags_in_text"),
    )) {
      const reply = recording.stream
        ? finishOf(readStream(recording, 100, quirks).events)
        : decode(JSON.parse(recording.response.body_text), contextOf(recording.provider, quirks));
      const { text, thinking } = summarise(recording.id, reply);
      expect(text).not.toMatch(/<\/?think>/);
      expect(bare(thinking + text)).toBe(bare(recording.expected.text));
    }
  });
});

describe("recorded errors", () => {
  const byStatus: Readonly<Record<number, readonly ErrorCategory[]>> = {
    400: ["invalid_argument", "content_filter", "context_overflow", "auth"],
    401: ["auth"],
    404: ["not_found"],
    408: ["timeout"],
    422: ["invalid_argument"],
    429: ["rate_limit", "overloaded", "invalid_argument"],
    500: ["server"],
    503: ["overloaded"],
  };

  it("F-G10 every refusal has a category, a readable message and the right to retry", () => {
    for (const { id, provider, response } of recordings.filter(
      (one) => one.response.status >= 400,
    )) {
      const error = openaiChat.decodeError(
        { status: response.status, headers: response.headers, body: response.body_text },
        provider,
      );
      const isTransient = response.status >= 500 || [408, 429].includes(response.status);
      expect({
        id,
        isKnown: byStatus[response.status]?.includes(error.category),
        isReadable: /^[^{[<].{5}/.test(error.message),
        retryable: error.retryable,
      }).toEqual({
        id,
        isKnown: true,
        isReadable: true,
        retryable: isTransient && error.category !== "invalid_argument",
      });
    }
  });

  it("an error with status 200 is an error", () => {
    for (const { provider, response, expected, stream } of recordings) {
      if (response.status >= 400 || !expected.error || stream) continue;
      const read = (): Reply => decode(JSON.parse(response.body_text), contextOf(provider));
      expect(read).toThrow(/rate-limited/);
    }
  });
});
