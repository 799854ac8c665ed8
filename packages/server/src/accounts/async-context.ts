/** What carries values along a chain of promises: `AsyncLocalStorage`, as far as it matters here. */
export interface AsyncContext {
  disable(): void;
}

/**
 * Does work that uses async contexts, and switches them off with the last of it: up to Node 22 one
 * that is on makes every promise of the process dearer, those of streamed answers most of all.
 * Only for contexts that nobody else uses.
 */
export function endingContexts(
  contexts: readonly AsyncContext[],
): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  return async (work) => {
    running++;
    try {
      return await work();
    } finally {
      if (--running === 0) for (const context of contexts) context.disable();
    }
  };
}
