/** What carries values along a chain of promises: `AsyncLocalStorage`, as far as it matters here. */
export interface AsyncContext {
  disable(): void;
}

/** The library's contexts belong to the process, however many servers it has. */
let running = 0;

/**
 * Does work that uses async contexts, and switches them off with the last of it: up to Node 22 one
 * that is on makes every promise of the process dearer, those of streamed answers most of all.
 */
export async function withContexts<T>(
  contexts: readonly AsyncContext[],
  work: () => Promise<T>,
): Promise<T> {
  running++;
  try {
    return await work();
  } finally {
    if (--running === 0) for (const context of contexts) context.disable();
  }
}
