import type { Fetch, JsonObject } from "mull";

/** One request and its answer, as they passed. Keys are not in it. */
export interface Witnessed {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** Empty until the body was read to its end. */
    readonly text: string;
  };
}

/** A `fetch` that remembers what passes through it. */
export interface Witness {
  readonly fetch: Fetch;
  readonly seen: () => readonly Witnessed[];
  /** Resolves when every answer was read to its end. */
  readonly settled: () => Promise<void>;
}

const keyHeaders = new Set(["authorization", "x-api-key", "x-goog-api-key"]);

const withoutKeys = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].filter(([name]) => !keyHeaders.has(name)));

interface Overheard {
  readonly body: ReadableStream<Uint8Array>;
  readonly text: () => string;
  /** Resolves when the service has said everything. */
  readonly settled: () => Promise<void>;
}

/**
 * Keeps the body as it flows. A reader that leaves at the last event has all it wants; the rest is
 * read for it, so that a recording ends where the service ended.
 */
const overhear = (source: ReadableStream<Uint8Array>): Overheard => {
  const reader = source.getReader();
  const decoder = new TextDecoder();
  const leave: (() => void)[] = [];
  let text = "";
  const end = (): void => leave.forEach((resolve) => resolve());
  const ended = new Promise<void>((resolve) => {
    leave.push(resolve);
  });
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      const { done, value } = await reader.read();
      if (done) end();
      else text += decoder.decode(value, { stream: true });
      return value;
    } catch (error) {
      end();
      throw error;
    }
  };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const value = await next();
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        while ((await next()) !== undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, text: () => text, settled: () => ended };
};

export const createWitness = (fetch: Fetch): Witness => {
  const seen: Witnessed[] = [];
  const bodies: Overheard[] = [];
  return {
    seen: () => seen,
    settled: async () => {
      for (const body of bodies) await body.settled();
    },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const heard = response.body === null ? undefined : overhear(response.body);
      if (heard !== undefined) bodies.push(heard);
      seen.push({
        request: {
          method: init.method ?? "GET",
          url: input,
          headers: withoutKeys(new Headers(init.headers)),
          body: JSON.parse(init.body as string) as JsonObject,
        },
        response: {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          get text() {
            return heard?.text() ?? "";
          },
        },
      });
      return heard === undefined ? response : new Response(heard.body, response);
    },
  };
};

/** The values of a streamed body, whichever of the three framings it came in. */
export const valuesOf = (text: string): readonly JsonObject[] => {
  if (text.trimStart().startsWith("[")) return JSON.parse(text) as readonly JsonObject[];
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => (line.startsWith("data:") ? line.slice("data:".length).trim() : line.trim()))
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as JsonObject);
};
