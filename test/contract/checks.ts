import type {
  ErrorCategory,
  JsonObject,
  JsonValue,
  MullError,
  Reply,
  ThinkingPart,
  ToolCallPart,
  WireId,
} from "mull";
import { resolveChoice } from "mull/wire";

import type { Outcome } from "./ask.ts";
import { requireEqual, requireThat } from "./contract-failure.ts";
import { readRaw, type RawAnswer } from "./raw-answer.ts";
import type { Witnessed } from "./witness.ts";

/** The one exchange of an outcome that has one. */
export const onlyExchange = (outcome: Outcome): Witnessed => {
  requireEqual(outcome, "number of exchanges", outcome.exchanges.length, 1);
  return outcome.exchanges[0]!;
};

export const bodyOf = (outcome: Outcome): JsonObject => onlyExchange(outcome).request.body;

/** A value inside the request, by path: `valueAt(body, "generationConfig", "thinkingConfig")`. */
export const valueAt = (body: JsonObject, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (value, key) => (value as JsonObject | undefined)?.[key],
    body,
  );

export const wireOf = (model: string): WireId => resolveChoice(model).provider.wire.id;

/** The answer as it stands in the cassette. */
export const rawOf = (outcome: Outcome, wire: WireId): RawAnswer =>
  readRaw(wire, onlyExchange(outcome).response.text, outcome.events.length > 0);

export const replyOf = (outcome: Outcome): Reply => {
  requireThat(outcome, "reply", outcome.reply !== undefined, "an answer", outcome.error?.message);
  return outcome.reply!;
};

const textIn = (reply: Reply): string =>
  reply.message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");

const thinkingIn = (reply: Reply): readonly ThinkingPart[] =>
  reply.message.parts.filter((part) => part.type === "thinking");

export const callsIn = (reply: Reply): readonly ToolCallPart[] =>
  reply.message.parts.filter((part) => part.type === "tool-call");

/** R315: status, role, text, parts, finish and every count equal what the cassette holds. */
export const checkStructure = (outcome: Outcome, wire: WireId): void => {
  const reply = replyOf(outcome);
  const raw = rawOf(outcome, wire);
  requireEqual(outcome, "status", onlyExchange(outcome).response.status, 200);
  requireEqual(outcome, "message.role", reply.message.role, "assistant");
  requireEqual(outcome, "text", textIn(reply), raw.textPieces.join(""));
  requireEqual(
    outcome,
    "finish.reason",
    reply.finish.reason,
    raw.calls.length > 0 ? "tool-calls" : "stop",
  );
  requireThat(outcome, "finish.raw", (reply.finish.raw ?? "") !== "", "the service's own word");
  checkUsage(outcome, wire);
};

/** Every count, each token once: thinking never inside output. */
export const checkUsage = (outcome: Outcome, wire: WireId): void => {
  const { input, output, thinking, total } = replyOf(outcome).usage;
  const { usage } = rawOf(outcome, wire);
  requireEqual(outcome, "usage", { input, output, thinking, total }, { ...usage });
};

/** R319: thinking is present, comes before the answer and is not part of it. */
export const checkThinking = (outcome: Outcome, wire: WireId): void => {
  const reply = replyOf(outcome);
  const raw = rawOf(outcome, wire);
  const thought = thinkingIn(reply)
    .map((part) => part.text)
    .join("");
  requireThat(outcome, "thinking", thought !== "", "a text that is not empty", thought);
  requireEqual(outcome, "thinking", thought, raw.thinkingPieces.join(""));
  requireEqual(outcome, "parts[0].type", reply.message.parts[0]?.type, "thinking");
  requireThat(outcome, "text", !textIn(reply).includes(thought), "a text without the thinking");
};

/** R316: name, arguments and, where the service gives one, the id. */
export const checkToolCall = (
  outcome: Outcome,
  wire: WireId,
  expected: readonly { readonly name: string; readonly input: JsonObject }[],
): void => {
  const calls = callsIn(replyOf(outcome));
  const raw = rawOf(outcome, wire);
  requireEqual(
    outcome,
    "tool calls",
    calls.map(({ name, input }) => ({ name, input })),
    expected,
  );
  requireEqual(
    outcome,
    "tool calls in the body",
    raw.calls.map(({ name, input }) => ({ name, input })),
    expected,
  );
  raw.calls.forEach(({ id }, index) => {
    if (id !== undefined) requireEqual(outcome, `tool call ${index}: id`, calls[index]?.id, id);
  });
};

/** R317: 22 characters of base64url that are the 16 bytes of a UUIDv4. */
export const checkCallId = (outcome: Outcome, id: string): void => {
  requireThat(outcome, "id", /^[\w-]{22}$/.test(id), "22 characters of base64url", id);
  const bytes = Buffer.from(id, "base64url");
  requireEqual(outcome, "bytes of the id", bytes.length, 16);
  requireEqual(outcome, "version of the UUID", bytes[6]! >> 4, 4);
  requireEqual(outcome, "variant of the UUID", bytes[8]! >> 6, 2);
};

/** R323 R324 R325: a status becomes a category, and what the service said is not lost. */
export const checkError = (
  outcome: Outcome,
  expected: {
    readonly status: number;
    readonly category: ErrorCategory;
    readonly message: string;
    readonly retryAfterMs?: number;
  },
): MullError => {
  const { error } = outcome;
  requireThat(outcome, "error", error !== undefined, "an error", outcome.reply);
  requireEqual(outcome, "status", onlyExchange(outcome).response.status, expected.status);
  requireEqual(outcome, "error.status", error?.status, expected.status);
  requireEqual(outcome, "error.category", error?.category, expected.category);
  requireEqual(outcome, "error.retryAfterMs", error?.retryAfterMs, expected.retryAfterMs);
  requireThat(
    outcome,
    "error.message",
    error?.message.includes(expected.message) === true,
    `a text with ${JSON.stringify(expected.message)}`,
    error?.message,
  );
  return error!;
};
