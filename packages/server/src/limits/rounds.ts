/** Does what many ask for in the next round of the event loop, all in one go. */
export interface Rounds {
  readonly next: (work: () => void) => void;
}

/** One immediate for all of them: each costs as much as what a stream does in it. */
export function createRounds(): Rounds {
  let asked: (() => void)[] = [];
  const go = (): void => {
    const works = asked;
    asked = [];
    for (const work of works) work();
  };
  return {
    next(work) {
      if (asked.push(work) === 1) setImmediate(go);
    },
  };
}
