import type { Fetch } from "mull";
import { createFraming } from "mull/wire";

/** A `fetch` that also hands out what arrives, event by event, as the service wrote it. */
export interface RawReader {
  readonly fetch: Fetch;
  /** What has arrived since it was last asked for. */
  readonly take: () => readonly unknown[];
}

export function readRaw(fetch: Fetch): RawReader {
  let chunks: unknown[] = [];
  const watch = (response: Response): Response => {
    if (response.body === null) return response;
    const framing = createFraming((data) => void chunks.push(parsed(data)));
    const through = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        framing.push(bytes);
        controller.enqueue(bytes);
      },
      flush: () => framing.end(),
    });
    return new Response(response.body.pipeThrough(through), response);
  };
  return {
    fetch: Object.assign(
      async (input: string, init: RequestInit) => watch(await fetch(input, init)),
      {
        simulated: "simulated" in fetch && fetch.simulated === true,
      },
    ),
    take: () => {
      const taken = chunks;
      chunks = [];
      return taken;
    },
  };
}

const parsed = (data: string): unknown => {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
};
