import { compose, type Message, resolveModel, type WireId } from "mull";
import { modelOf } from "../contestants/mull.ts";
import { makeMessages } from "../histories.ts";
import { type Count, exponentOf, linear } from "./count.ts";

/** The same value, and `seen` is called for every property that is read of it, however deep. */
function watchReads<T>(value: T, seen: () => void): T {
  if (typeof value !== "object" || value === null) return value;
  const watched = new Map<unknown, unknown>();
  return new Proxy(value, {
    get: (target, key) => {
      seen();
      const inner: unknown = Reflect.get(target, key);
      // Once each: whoever remembers an object must meet the same one again.
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

/** What a request asks by the length of its history: reads of it, and objects of the body. */
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
