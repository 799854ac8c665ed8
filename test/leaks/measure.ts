import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import type { Fetch } from "mull";

/** Collects garbage now, without a flag on the command line. */
export const collect = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
};

/** Bytes in use after everything that can go has gone. */
export const heapInUse = async (gc: () => void): Promise<number> => {
  for (let round = 0; round < 4; round += 1) {
    // What a finished stream still holds is let go a few turns of the event loop later.
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  return process.memoryUsage().heapUsed;
};

/** What keeps the process alive: timers, sockets, files. By kind, sorted. */
export const openHandles = (): readonly string[] => process.getActiveResourcesInfo().toSorted();

/** The handles that are open and were not before. The test runner's own come and go. */
export const newHandles = async (before: readonly string[]): Promise<readonly string[]> => {
  for (let look = 0; ; look += 1) {
    const left = [...before];
    const added = openHandles().filter((kind) => {
      const known = left.indexOf(kind);
      if (known >= 0) left.splice(known, 1);
      return known < 0;
    });
    if (added.length === 0 || look === 20) return added;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** How many bodies were handed out, and how many ended, broke or were cancelled. */
export interface BodyCount {
  readonly fetch: Fetch;
  readonly opened: () => number;
  readonly closed: () => number;
}

/** A `fetch` that counts the bodies nobody closes. */
export const countBodies = (fetch: Fetch): BodyCount => {
  let opened = 0;
  let closed = 0;
  return {
    opened: () => opened,
    closed: () => closed,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (response.body === null) return response;
      opened += 1;
      const reader = response.body.getReader();
      const body = new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            const { done, value } = await reader.read().catch((error: unknown) => {
              closed += 1;
              throw error;
            });
            if (!done) return controller.enqueue(value);
            closed += 1;
            controller.close();
          },
          cancel: async (reason) => {
            closed += 1;
            await reader.cancel(reason);
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, response);
    },
  };
};
