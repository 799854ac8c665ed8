/**
 * The values of something nested, one behind the other, to see later whether it is still the same.
 * Whoever changes a message in place is noticed, and nothing has to be frozen or copied for it.
 */
export interface Snapshot {
  readonly values: unknown[];
  /** Where the next value to be compared stands. */
  at: number;
}

/** Stands before a number, so that it is not taken for the length of a list or the size of an object. */
const number = Symbol("number");

export const createSnapshot = (): Snapshot => ({ values: [], at: 0 });

/**
 * Adds values. False, and nothing added, where one has more to it than the fields that can be gone
 * through, such as a date or a way of its own to be written as JSON.
 */
export function addToSnapshot({ values }: Snapshot, list: readonly unknown[]): boolean {
  const { length } = values;
  for (const value of list)
    if (!add(values, value)) {
      values.length = length;
      return false;
    }
  return true;
}

function add(values: unknown[], value: unknown): boolean {
  if (typeof value === "number") values.push(number);
  if (typeof value !== "object" || value === null) {
    values.push(value);
    return typeof value !== "function";
  }
  if (!isPlain(value)) return false;
  if (Array.isArray(value)) {
    values.push(value.length);
    // By position: a hole is a value too.
    for (let at = 0; at < value.length; at++) if (!add(values, value[at])) return false;
    return true;
  }
  const count = values.push(0) - 1;
  let fields = 0;
  for (const key in value) {
    values.push(key);
    if (!add(values, (value as Record<string, unknown>)[key])) return false;
    fields++;
  }
  // Below zero, as no length of a list is.
  values[count] = -1 - fields;
  return fields === Object.getOwnPropertyNames(value).length;
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
};

/** Whether the first `count` of these are what was added, value by value. */
export function matchesSnapshot(
  snapshot: Snapshot,
  list: readonly unknown[],
  count: number,
): boolean {
  snapshot.at = 0;
  for (let at = 0; at < count; at++) if (!matchesNext(snapshot, list[at])) return false;
  return true;
}

function matchesNext(snapshot: Snapshot, value: unknown): boolean {
  const { values } = snapshot;
  const known = values[snapshot.at++];
  if (typeof value === "number") return known === number && values[snapshot.at++] === value;
  if (typeof value !== "object" || value === null) return known === value;
  if (Array.isArray(value)) {
    if (known !== value.length) return false;
    for (let at = 0; at < value.length; at++) if (!matchesNext(snapshot, value[at])) return false;
    return true;
  }
  if (!isPlain(value)) return false;
  let left = known as number;
  for (const key in value) {
    if (values[snapshot.at++] !== key) return false;
    if (!matchesNext(snapshot, (value as Record<string, unknown>)[key])) return false;
    left++;
  }
  return left === -1;
}
