import { describe, expect, test } from "vitest";
import { isMullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { Finding } from "../../../types/rule.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { findModel } from "../../../catalogue/find-model.ts";
import {
  decodeBody,
  fingerprint,
  finishOf,
  readRecordings,
  type Recording,
} from "../../../../../../test/recordings.ts";
import { anthropicMessages } from "../index.ts";
import { anthropicMessagesMirror } from "../service/mirror.ts";
import { rulesOf } from "../../../rules.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decode } from "./decode.ts";

const recordings = readRecordings("anthropic");

const contextOf = (recording: Recording): DecodeContext => ({
  origin: {
    wire: "anthropic-messages",
    provider: "anthropic",
    model: recording.expected.model ?? "claude-sonnet-4-5",
  },
  now: () => 0,
  hotReader: createHotReader,
  newId: () => "made-here",
});

function decodeStreamed(recording: Recording, size: number): Reply {
  const decoder = anthropicMessages.decodeStream(contextOf(recording));
  const events: StreamEvent[] = [];
  decodeBody(recording.response.body_text, decoder, events, size);
  const reply = finishOf(events);
  expect(joined(events, "text")).toBe(textOf(reply));
  expect(joined(events, "thinking")).toBe(thoughtsOf(reply).join(""));
  return reply;
}

const joined = (events: readonly StreamEvent[], type: "text" | "thinking"): string =>
  events.map((event) => (event.type === type ? event.delta : "")).join("");

const textOf = ({ message }: Reply): string =>
  message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");

const thoughtsOf = ({ message }: Reply): readonly string[] =>
  message.parts.flatMap((part) =>
    part.type === "thinking" && part.visibility !== "redacted" ? [part.text] : [],
  );

const callsOf = ({ message }: Reply): readonly unknown[] =>
  message.parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ id: part.id, name: part.name, args: part.invalid?.raw ?? part.input }]
      : [],
  );

const signaturesOf = ({ message }: Reply): readonly string[] =>
  message.parts.flatMap((part) =>
    part.type === "thinking" && part.seal?.data["signature"] !== undefined
      ? [fingerprint(part.seal.data["signature"])]
      : [],
  );

function expectAsExpected(reply: Reply, { expected, response }: Recording): void {
  expect(textOf(reply)).toBe(expected.text);
  expect(thoughtsOf(reply).join("")).toBe(expected.thinking);
  expect(thoughtsOf(reply)).toEqual(expected.thinking_parts ?? thoughtsOf(reply));
  expect(signaturesOf(reply)).toEqual(expected.signature_sha256 ?? []);
  // The reading that made `expected` looks at streamed blocks only; a continued code execution
  // has its pending calls in `message_start`.
  const continues = /"message_start".*"content":\[\{/.test(response.body_text);
  expect(continues ? [] : callsOf(reply)).toEqual(expected.tool_calls);
  const redacted = reply.message.parts.filter(
    (part) => part.type === "thinking" && part.visibility === "redacted",
  );
  expect(redacted).toHaveLength(expected.redacted ?? 0);
  expect(reply.finish.raw).toBe(expected.finish ?? undefined);
  expect(reply.finish.note).toBeUndefined();
  expect(reply.usage.raw).toMatchObject(withoutNulls(expected.usage ?? {}));
  expect(reply.usage.thinking).toBe(expected.reasoning_tokens);
  expect(reply.usage.warning).toBeUndefined();
  expect(reply.servedModel).toBe(expected.model);
  expect(reply.id).toBe(expected.id);
}

const withoutNulls = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

const answered = recordings.filter(({ response }) => response.status === 200);

describe("recorded answers (R98 R99 R101 R113 R141 R142 R152 R153 R154)", () => {
  test.each(answered.filter(({ stream }) => stream).map((it) => [it.id, it] as const))(
    "stream %s",
    (_, recording) => {
      const reply = decodeStreamed(recording, 1 << 16);
      expectAsExpected(reply, recording);
      expect(decodeStreamed(recording, 61)).toEqual(reply);
    },
  );

  test.each(answered.filter(({ stream }) => !stream).map((it) => [it.id, it] as const))(
    "whole %s",
    (_, recording) => {
      const body: unknown = JSON.parse(recording.response.body_text);
      const reply = decode(body, contextOf(recording));
      expectAsExpected(reply, recording);
      expect(reply.message.role).toBe("assistant");
    },
  );
});

const categories: Readonly<Record<number, string>> = {
  400: "invalid_argument",
  401: "auth",
  404: "not_found",
  429: "rate_limit",
  500: "server",
  503: "server",
  529: "overloaded",
};

test.each(
  recordings.filter(({ response }) => response.status !== 200).map((it) => [it.id, it] as const),
)("recorded refusal %s (F-G10)", (_, { response }) => {
  const error = anthropicMessages.decodeError(
    { status: response.status, headers: response.headers, body: response.body_text },
    "anthropic",
  );
  expect(isMullError(error)).toBe(true);
  expect(error.category).toBe(categories[response.status]);
  const shouldRetry = response.headers["x-should-retry"];
  expect(error.retryable).toBe(
    shouldRetry === undefined
      ? response.status === 429 || response.status >= 500
      : shouldRetry === "true",
  );
  const seconds = response.headers["retry-after"];
  expect(error.retryAfterMs).toBe(seconds && Number(seconds) * 1000);
});

test("recordings are compared where they are at hand", () => {
  expect(recordings.every(({ api }) => api === "anthropic")).toBe(true);
});

/** Requests the service accepted, as the wire saw them. */
const accepted = answered.flatMap(({ id, request, expected }) =>
  request.body === null
    ? []
    : [{ id, path: request.url_path, headers: request.headers, body: request.body, expected }],
);

/**
 * What two bodies may differ in and still be the same request to the service: `null` and
 * `false`/empty defaults are absent; string content is one text block; neighbours of one role are
 * one message (the service merges them); empty text blocks; `display` written out where the client
 * left it to the model; the model where the path names it.
 */
function normalised(body: JsonObject, without: readonly string[]): unknown {
  const { messages, system, tools, ...rest } = body;
  const merged: { role: unknown; content: unknown[] }[] = [];
  for (const message of objects(messages)) {
    const content = blocksOf(message["content"]);
    const last = merged.at(-1);
    if (last && last.role === message["role"]) last.content.push(...content);
    else if (content.length > 0) merged.push({ role: message["role"], content: [...content] });
  }
  const fields = Object.entries(rest).filter(([key]) => !without.includes(key));
  return dropDefaults({
    ...Object.fromEntries(fields),
    messages: merged,
    system: blocksOf(system ?? []),
    tools: tools ?? [],
  });
}

const blocksOf = (content: unknown): readonly unknown[] =>
  typeof content === "string"
    ? [{ type: "text", text: content }]
    : objects(content).filter(({ text }) => text !== "");

const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

function dropDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropDefaults);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const isDefault = item === null || (defaults.get(key) ?? unset) === item;
      if (isDefault || (key === "system" && isEmpty(item))) return [];
      const isContent = key === "content" && "tool_use_id" in value && typeof item === "string";
      return [[key, dropDefaults(isContent ? blocksOf(item) : item)]];
    }),
  );
}

const unset = Symbol("unset");
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const defaults = new Map<string, unknown>([
  ["is_error", false],
  ["stream", false],
  ["disable_parallel_tool_use", false],
]);

test.each(accepted.map((it) => [it.id, it] as const))(
  "accepted request %s comes back the same (R64 R78 R218)",
  (_, { path, headers, body, expected }) => {
    const request = anthropicMessagesMirror.decodeRequest({ path, headers, body });
    const model = { ...findModel(request.model || "claude-sonnet-4-5"), systemMessages: true };
    const encoded = anthropicMessages.encode(request, { model });
    const isShown = JSON.stringify(body["thinking"] ?? {}).includes("display");
    const { thinking: sent = null } = encoded.body;
    const isWrittenOut = isJsonObject(sent) && !isShown;
    const thinking = isWrittenOut ? { ...sent, display: null } : sent;
    const without = body["model"] === undefined ? ["model"] : [];
    expect(normalised({ ...encoded.body, thinking }, without)).toEqual(normalised(body, without));
    expect(encoded.notes).toEqual([]);
    expect(expected.model).toBeDefined();
  },
);

/** The recorders dropped most headers; the service had them. */
const lintRecorded = (recording: Recording): readonly Finding[] => {
  const body = recording.request.body ?? {};
  const asked = anthropicMessagesMirror.decodeRequest({ path: "", headers: {}, body }).model;
  const path = recording.request.url_path;
  const model = findModel(asked || "claude-haiku-4-5");
  const headers = { "anthropic-version": "2023-06-01", ...recording.request.headers };
  const input = { wire: "anthropic-messages", model, path, headers, body } as const;
  return rulesOf("anthropic-messages").flatMap((rule) => rule.check(input));
};

test.each(
  answered.filter(({ request }) => request.body !== null).map((it) => [it.id, it] as const),
)("no rule refuses the accepted request %s", (_, recording) => {
  const errors = lintRecorded(recording).filter(
    // Some models were still served when this was recorded.
    ({ severity, rule }) => severity === "error" && rule !== "anthropic/model-served",
  );
  expect(errors).toEqual([]);
});

test.each(
  recordings
    .filter(({ response }) => response.status === 400 || response.status === 404)
    .map((it) => [it.id, it] as const),
)("a rule predicts the refusal of %s, word for word", (_, recording) => {
  const { error }: { error: { message: string } } = JSON.parse(recording.response.body_text);
  const predicted = lintRecorded(recording).map(({ message }) => message);
  expect(predicted).toContain(error.message);
});
