import type { Origin } from "../types/message.ts";

/**
 * Each `fetch` behind which an emulator answered last. A wrapper around one cannot be told from a wrapper around
 * the network until it has answered once: until then it gets no seal that an emulator made.
 */
const known = new WeakSet<object>();

/** Whether an emulator is behind a `fetch`: it says so itself, or its last answer did. */
export const isSimulated = (fetch: object | undefined): boolean =>
  fetch !== undefined && (known.has(fetch) || ("simulated" in fetch && fetch.simulated === true));

type Head = Pick<Headers, "has">;

export const cameFromEmulator = (headers: Head): boolean => headers.has("x-mull-simulated");

/** The origin as the answer tells it; which also tells who is behind the `fetch`. */
export function madeBy(origin: Origin, headers: Head, fetch: object | undefined): Origin {
  const wasSimulated = cameFromEmulator(headers);
  if (fetch !== undefined) {
    if (wasSimulated) known.add(fetch);
    else known.delete(fetch);
  }
  return wasSimulated ? { ...origin, simulated: true } : origin;
}
