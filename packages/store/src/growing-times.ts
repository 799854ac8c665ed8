/** Times in milliseconds since the epoch, by position; `undefined` if unknown. */
export type Times = readonly (number | undefined)[];

/**
 * When each of `count` messages was made, always growing. An unknown time is right after the one
 * before; no time is later than now.
 */
export function growingTimes(count: number, times: Times, now: number): readonly number[] {
  const growing: number[] = [];
  const first = times.find((time) => time !== undefined) ?? now;
  let next = Math.min(first, now);
  for (let index = 0; index < count; index++) {
    const known = Math.min(times[index] ?? next, now);
    growing.push(Math.max(known, next));
    next = growing[index]! + 1;
  }
  return growing;
}
