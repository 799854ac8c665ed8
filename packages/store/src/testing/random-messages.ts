import type {
  AssistantPart,
  JsonObject,
  JsonValue,
  Message,
  Origin,
  Part,
  ToolResultPart,
  UserPart,
} from "mull";

/** A source of random numbers from 0 to 1. */
export type Random = () => number;

/** A source of random numbers that gives the same ones for the same seed on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;

const pieces = ["a", "é", "\u0000", "\ud83d", "\ude00", "𝄞", '"', "\\", "\n", "\u2028", "'; --"];
const keys = ["a", "__proto__", "constructor", "\u0000", "z", "10", "9", ""];

const text = (random: Random): string =>
  Array.from({ length: Math.floor(random() * 12) }, () => pick(random, pieces)).join("");

function value(random: Random, depth: number): JsonValue {
  const kind = Math.floor(random() * (depth > 3 ? 4 : 6));
  if (kind === 0) return text(random);
  if (kind === 1) return Math.round((random() - 0.5) * 1e6) / pick(random, [1, 7, 1e9]);
  if (kind === 2) return pick(random, [true, false]);
  if (kind === 3) return null;
  const count = Math.floor(random() * 4);
  if (kind === 4) return Array.from({ length: count }, () => value(random, depth + 1));
  return object(random, depth + 1);
}

/** Built from entries: assigning to `__proto__` would create no field. */
const object = (random: Random, depth: number): JsonObject =>
  Object.fromEntries(
    Array.from({ length: Math.floor(random() * 4) }, () => [
      pick(random, keys),
      value(random, depth),
    ]),
  );

const origin = (random: Random): Origin => ({
  wire: pick(random, ["anthropic-messages", "openai-responses", "openai-chat", "google-generate"]),
  provider: text(random),
  model: text(random),
});

const sealed = <T extends Part>(random: Random, part: T): T =>
  random() < 0.5 ? { ...part, seal: { origin: origin(random), data: object(random, 0) } } : part;

const textPart = (random: Random): UserPart => ({ type: "text", text: text(random) });

const assistantPart = (random: Random): AssistantPart =>
  sealed(
    random,
    pick<() => AssistantPart>(random, [
      () => ({ type: "text", text: text(random) }),
      () => ({ type: "thinking", text: text(random), visibility: "summary" }),
      () => ({ type: "tool-call", id: text(random), name: text(random), input: value(random, 0) }),
      () => ({
        type: "opaque",
        wire: "openai-responses",
        kind: text(random),
        data: object(random, 0),
      }),
    ])(),
  );

const toolResult = (random: Random): ToolResultPart => ({
  type: "tool-result",
  callId: text(random),
  name: text(random),
  output: text(random),
});

const several = <T>(random: Random, make: (random: Random) => T): readonly T[] =>
  Array.from({ length: Math.floor(random() * 5) }, () => make(random));

/** A conversation of any shape that a store must keep. */
export const randomMessages = (random: Random): readonly Message[] =>
  several(random, () =>
    pick<() => Message>(random, [
      () => ({ role: "user", parts: several(random, textPart) }),
      () => ({ role: "assistant", parts: several(random, assistantPart), effort: text(random) }),
      () => ({ role: "tool", parts: several(random, toolResult) }),
    ])(),
  );
