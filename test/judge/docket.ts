import type { JsonObject, JsonValue } from "mull";
import { applyExceptions, type Exception } from "./exceptions.ts";
import { judgeLiterals, type Objection } from "./judge-literals.ts";
import { shapeOf } from "./shape.ts";
import type { VendorType } from "./vendor-types.ts";

/** A body that was written, and by what. */
export interface Sample {
  readonly type: VendorType;
  readonly body: JsonObject;
  /** What made it, for people: model, level, case. */
  readonly where: string;
}

export interface Refusal extends Sample {
  readonly objections: readonly Objection[];
}

export interface Verdict {
  readonly bodies: number;
  /** Literals the compiler saw: what types cannot tell apart is judged once. */
  readonly distinct: number;
  readonly refused: readonly Refusal[];
  /** Exceptions no body needed. */
  readonly needless: readonly Exception[];
}

export interface Docket {
  /** Says whether there was anything in it that was not seen before. */
  readonly add: (sample: Sample) => boolean;
  readonly judge: () => Promise<Verdict>;
}

/** A sample with the items of its lists that were not seen before, and where those stood. */
interface Reduced {
  readonly sample: Sample;
  readonly value: JsonObject;
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** Collects bodies and has them judged in one go. */
export function createDocket(exceptions: readonly Exception[]): Docket {
  const seen = new Set<string>();
  const pending: Reduced[] = [];
  const firstUse = new Map<Exception, Sample>();
  let bodies = 0;
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) !== undefined;
  return {
    add: (sample) => {
      bodies++;
      const { value, used } = applyExceptions(sample.type, sample.body, exceptions);
      const unused = used.filter((exception) => !firstUse.has(exception));
      for (const exception of unused) firstUse.set(exception, sample);
      const reduced = reduce(sample, value as JsonObject, isNew);
      if (reduced !== undefined) pending.push(reduced);
      return reduced !== undefined || unused.length > 0;
    },
    judge: async () => {
      const probes = [...firstUse].map(([exception, { type, body }]) => {
        const others = exceptions.filter((other) => other !== exception);
        return { type, value: applyExceptions(type, body, others).value };
      });
      const found = await judgeLiterals([
        ...pending.map(({ sample: { type }, value }) => ({ type, value })),
        ...probes,
      ]);
      const refused = pending.flatMap(({ sample, places }, at) => {
        const objections = (found[at] ?? []).map((one) => placedIn(places, one));
        return objections.length > 0 ? [{ ...sample, objections }] : [];
      });
      const excused = new Set(
        [...firstUse.keys()].filter((_, at) => found[pending.length + at]!.length > 0),
      );
      const needless = exceptions.filter((exception) => !excused.has(exception));
      return { bodies, distinct: pending.length, refused, needless };
    },
  };
}

/** Drops what was judged before; `undefined` when that is all of it. */
function reduce(
  sample: Sample,
  value: JsonObject,
  isNew: (key: string) => boolean,
): Reduced | undefined {
  const places = new Map<string, number[]>();
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  const kept = members.map(([name, member]): [string, JsonValue] => {
    if (!Array.isArray(member)) return [name, member];
    const items = member as readonly JsonValue[];
    const fresh = items.flatMap((item, at) =>
      isNew(`${sample.type} ${name}[] ${shapeOf(item, name)}`) ? [at] : [],
    );
    places.set(name, fresh);
    return [name, fresh.map((at) => items[at]!)];
  });
  const frame = kept.map(([name, member]): [string, JsonValue] => [
    name,
    places.has(name) ? [] : member,
  ]);
  const hasNewFrame = isNew(`${sample.type} ${shapeOf(Object.fromEntries(frame))}`);
  const hasNewItems = [...places.values()].some((fresh) => fresh.length > 0);
  return hasNewFrame || hasNewItems
    ? { sample, value: Object.fromEntries(kept), places }
    : undefined;
}

/** `input[0].type` of what was judged is `input[7].type` of the body. */
const placedIn = (places: Reduced["places"], { path, message }: Objection): Objection => ({
  path: path.replace(/^(\w+)\[(\d+)\]/, (_, name: string, at: string) => {
    return `${name}[${places.get(name)?.[Number(at)] ?? at}]`;
  }),
  message,
});

/** What there is to read of a verdict, failures first; the last line counts. */
export function describeVerdict(verdict: Verdict, most = 20): readonly string[] {
  const { bodies, distinct, refused, needless } = verdict;
  const objections = refused
    .slice(0, most)
    .flatMap(({ where, type, objections: found, body }) => [
      `REFUSED ${where} (${type})`,
      ...found.map(({ path, message }) => `  ${path === "" ? "the body" : path}: ${message}`),
      `  ${JSON.stringify(body)}`,
    ]);
  const hidden = refused.length > most ? [`… and ${refused.length - most} more`] : [];
  const stale = needless.map(
    ({ at, drop, add, reason }) =>
      `NEEDLESS exception ${at} ${drop ?? Object.keys(add ?? {}).join()}: ${reason}`,
  );
  const count = `${bodies} bodies, ${distinct} distinct; ${refused.length} refused`;
  return [...objections, ...hidden, ...stale, count];
}
