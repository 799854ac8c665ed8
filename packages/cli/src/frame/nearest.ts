/** Edits from one word to the other; a swap of neighbours counts once. */
export const editsBetween = (a: string, b: string): number => {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + cost,
      );
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2];
      if (isSwap && a[row - 2] === b[column - 1]) least = Math.min(least, before[column - 2]! + 1);
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
};

/** Whether a word is another one and more: `/thinking` and `/think`. */
const goesOn = (word: string, start: string): boolean => start.length > 2 && word.startsWith(start);

/** The known word most likely meant; `undefined` when none is close. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const asked = word.toLowerCase();
  let best: string | undefined;
  // Two edits turn a word of three letters into almost any other.
  const { length } = asked.replace(/^-+/, "");
  let least = (length <= 3 ? 1 : Math.max(2, Math.floor(length / 3))) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - asked.length) >= least) continue;
    const edits = editsBetween(asked, candidate.toLowerCase());
    if (edits < least && edits < Math.max(asked.length, 1)) {
      least = edits;
      best = candidate;
    }
  }
  return best ?? known.find((candidate) => goesOn(candidate, asked) || goesOn(asked, candidate));
};

export const didYouMean = (word: string, known: readonly string[]): string | undefined => {
  const found = nearest(word, known);
  return found === undefined ? undefined : `Did you mean ${found}?`;
};
