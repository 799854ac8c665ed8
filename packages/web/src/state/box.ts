import { useEffect, useState } from "preact/hooks";

/** A value that tells when it changes. */
export interface Box<T> {
  readonly get: () => T;
  readonly set: (change: (before: T) => T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createBox<T>(initial: T): Box<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (change) => {
      const next = change(value);
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Draws again when the chosen part of the value is another one. */
export function useBox<T, Chosen>(box: Box<T>, choose: (value: T) => Chosen): Chosen {
  const [, redraw] = useState<Chosen>();
  const chosen = choose(box.get());
  useEffect(() => {
    let shown = chosen;
    const look = (): void => {
      const next = choose(box.get());
      if (Object.is(next, shown)) return;
      shown = next;
      redraw(() => next);
    };
    look();
    return box.subscribe(look);
  });
  return chosen;
}
