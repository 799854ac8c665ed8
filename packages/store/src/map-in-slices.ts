import { setImmediate as nextRound } from "node:timers/promises";

/** As many as take a few milliseconds. */
const mostAtOnce = 500;

/** Maps a long list in slices, so that the event loop is never blocked for long. */
export async function mapInSlices<T, U>(
  items: readonly T[],
  map: (item: T, index: number) => U,
): Promise<readonly U[]> {
  if (items.length <= mostAtOnce) return items.map(map);
  const mapped: U[] = [];
  for (let next = 0; next < items.length; next += mostAtOnce) {
    if (next > 0) await nextRound();
    const end = Math.min(next + mostAtOnce, items.length);
    for (let index = next; index < end; index++) mapped.push(map(items[index]!, index));
  }
  return mapped;
}
