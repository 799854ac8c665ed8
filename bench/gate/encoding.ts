import { compose, type Message, resolveModel, type WireId } from "mull";
import { modelOf } from "../contestants/mull.ts";
import { rulesOf } from "../../packages/mull/src/wire/rules-of.ts";
import type { RuleInput } from "../../packages/mull/src/types/rule.ts";
import { makeMessages } from "../histories.ts";
import { type Count, exponentOf, linear } from "./count.ts";

/** The same value behind a proxy: `seen` is called for every property that is read, at any depth. */
function watchReads<T>(value: T, seen: () => void): T {
  if (typeof value !== "object" || value === null) return value;
  const watched = new Map<unknown, unknown>();
  return new Proxy(value, {
    get: (target, key) => {
      seen();
      const inner: unknown = Reflect.get(target, key);
      // Each history is built once, so that a cache keyed by object would be hit.
      if (!watched.has(inner)) watched.set(inner, watchReads(inner, seen));
      return typeof inner === "object" ? watched.get(inner) : inner;
    },
  });
}

/** Makes a body of a history. */
export type Encode = (messages: readonly Message[]) => unknown;

const encodeWith =
  (wire: WireId): Encode =>
  (messages) =>
    compose(resolveModel(modelOf[wire]), { messages }).encoded.body;

function countObjects(body: unknown): number {
  let objects = 0;
  JSON.stringify(body, (_, value: unknown) => {
    if (typeof value === "object") objects++;
    return value;
  });
  return objects;
}

const few = 401;
const many = 3201;

/** Counts reads of the history and objects in the body, by the length of the history. */
export function countEncoding(wire: WireId, encode: Encode = encodeWith(wire)): readonly Count[] {
  const work = [few, many].map((messages) => {
    let reads = 0;
    const history = watchReads(makeMessages(wire, messages), () => {
      reads++;
    });
    const objects = countObjects(encode(history));
    return { reads, objects };
  });
  const [small, large] = work as [(typeof work)[0], (typeof work)[0]];
  return (["reads", "objects"] as const).map((what) => ({
    what: `${wire}: exponent of ${what} by history`,
    most: linear,
    counted: exponentOf(small[what], large[what], (many - 1) / (few - 1)),
  }));
}

/** Reads a message may cost the rules that run before every request: a rule that copies the history shows. */
const mostChecks: Readonly<Record<WireId, number>> = {
  "anthropic-messages": 8,
  "openai-responses": 27,
  "openai-chat": 37,
  "google-generate": 27,
};

/** Looks for faults in a request. */
export type Check = (input: RuleInput) => void;

const checkWith =
  (wire: WireId): Check =>
  (input) => {
    for (const rule of rulesOf(wire)) if (rule.preflight) rule.check(input);
  };

/** Counts reads of the body while it is checked, per message and by the length of the history. */
export function countChecking(wire: WireId, check: Check = checkWith(wire)): readonly Count[] {
  const target = resolveModel(modelOf[wire]);
  const [small, large] = [few, many].map((count) => {
    let reads = 0;
    const { path, headers, body } = compose(target, {
      messages: makeMessages(wire, count),
    }).encoded;
    const watched = watchReads(body, () => {
      reads++;
    });
    check({ wire, model: target.model, path, headers, body: watched });
    return reads;
  }) as [number, number];
  return [
    { what: `${wire}: reads of a message by rules`, most: mostChecks[wire], counted: large / many },
    {
      what: `${wire}: exponent of reads by rules`,
      most: linear,
      counted: exponentOf(small, large, (many - 1) / (few - 1)),
    },
  ];
}
