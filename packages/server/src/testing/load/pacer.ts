/** Writes one more piece; `false` when it was the last. */
type WriteNext = () => boolean;

/**
 * Calls each of many streams at a fixed rate, each at its own moment, with a single timer: with a
 * timer each, we would measure timers. A late call makes the next one come sooner.
 */
export function createPacer(perSecond: number): (writeNext: WriteNext) => void {
  const everyMs = 1000 / perSecond;
  // All wait equally long, so the next one due is always the first.
  let waiting: { due: number; readonly writeNext: WriteNext }[] = [];
  let isWaiting = false;

  const wait = (): void => {
    const [first] = waiting;
    isWaiting = first !== undefined;
    if (first !== undefined) setTimeout(callDue, first.due - performance.now());
  };
  const callDue = (): void => {
    const now = performance.now();
    const later = waiting.findIndex(({ due }) => due > now);
    const due = later < 0 ? waiting : waiting.slice(0, later);
    waiting = later < 0 ? [] : waiting.slice(later);
    for (const stream of due) {
      if (!stream.writeNext()) continue;
      stream.due += everyMs;
      waiting.push(stream);
    }
    wait();
  };
  return (writeNext) => {
    waiting.push({ due: performance.now() + everyMs, writeNext });
    if (!isWaiting) wait();
  };
}
