/**
 * As long as people take between two keys. It begins when the keys have been read: begun with them, on a
 * machine that stands still in between, it would be over before what the reader itself waits for.
 */
export const pauseAfterKeys = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => setTimeout(resolve, 80));
  });
