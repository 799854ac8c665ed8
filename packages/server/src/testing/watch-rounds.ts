export interface RoundsWatch {
  readonly count: () => number;
  readonly stop: () => number;
}

/** Counts rounds of the event loop, for everyone who waits for it. */
export function watchRounds(): RoundsWatch {
  let rounds = 0;
  let isOver = false;
  const turn = (): void => {
    rounds++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    count: () => rounds,
    stop: () => {
      isOver = true;
      return rounds;
    },
  };
}
