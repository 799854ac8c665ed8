import { readFileSync } from "node:fs";

/** A process's own measurements. */
export interface Readings {
  /** Nanoseconds the main thread has run, and all threads together. */
  readonly mainThread: number;
  readonly allThreads: number;
  readonly resident: number;
  /** What the main thread's JavaScript uses, buffers included. */
  readonly held: number;
  readonly sockets: number;
  /**
   * Longest time the main thread's event loop was blocked since the last reading, in milliseconds.
   */
  readonly longestBlock: number;
  /** Most password hashes at once. */
  readonly hashesAtOnce: number;
}

interface ThreadTimes {
  readonly ran: number;
  /** Time it was ready to run while another process had the processor. */
  readonly waited: number;
}

/** Nanoseconds of the main thread, as Linux counts them. */
function threadTimes(): ThreadTimes {
  const [ran, waited] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
  return { ran: Number(ran), waited: Number(waited) };
}

const tickMs = 10;

interface LoopWatch {
  readonly take: () => number;
  /** Discards what was done for the measurement itself. */
  readonly forget: () => void;
}

/**
 * How long the loop was blocked. Leaves out the time the thread waited for a processor: on a busy
 * machine, that is the other processes' fault.
 */
function watchLoop(): LoopWatch {
  let longest = 0;
  let last = performance.now();
  let waited = threadTimes().waited;
  setInterval(() => {
    const now = performance.now();
    const gap = now - last - tickMs;
    last = now;
    const waitedNow = threadTimes().waited;
    longest = Math.max(longest, gap - (waitedNow - waited) / 1e6);
    waited = waitedNow;
  }, tickMs).unref();
  return {
    take: () => {
      const found = longest;
      longest = 0;
      return found;
    },
    forget: () => {
      longest = 0;
      last = performance.now();
      waited = threadTimes().waited;
    },
  };
}

const isSocket = (name: string): boolean => name === "TCPSocketWrap" || name === "TLSWrap";

/** Reads this process. `collect`: collects garbage first. */
export function createReader(hashes: { readonly most: number }): (collect: boolean) => Readings {
  const loop = watchLoop();
  const collectGarbage = (globalThis as { readonly gc?: () => void }).gc;
  return (collect) => {
    const longestBlock = loop.take();
    if (collect) {
      collectGarbage?.();
      collectGarbage?.();
    }
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, external } = process.memoryUsage();
    const sockets = process.getActiveResourcesInfo().filter(isSocket).length;
    loop.forget();
    return {
      mainThread: threadTimes().ran,
      allThreads: (user + system) * 1000,
      resident: rss,
      held: heapUsed + external,
      sockets,
      longestBlock,
      hashesAtOnce: hashes.most,
    };
  };
}
