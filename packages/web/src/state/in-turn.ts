export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** One piece of work after the other, in the order they were given; one that fails holds none up. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
