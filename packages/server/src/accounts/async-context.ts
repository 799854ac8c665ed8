/**
 * The part of `AsyncLocalStorage` that matters here: it carries values along a chain of promises.
 */
export interface AsyncContext {
  disable(): void;
}

/**
 * Runs work that uses async contexts, and switches them off when the last of it ends. Up to Node
 * 22, an active context makes every promise in the process slower, streamed answers most of all.
 * Only for contexts that no other code uses.
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
