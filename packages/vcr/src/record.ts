import type { BodyEnd, RecordedFailure } from "./cassette.ts";
import { VcrError } from "./error.ts";
import type { ExchangeWriter } from "./exchange-writer.ts";
import type { CassetteFetch, Fetch, FetchInput, LiveFetch } from "./fetch.ts";
import { withEnd, withUrl } from "./fetch.ts";
import type { RedactOptions, Redactor } from "./redact.ts";
import { createRedactor } from "./redact.ts";
import type { StreamRedactor } from "./redact-stream.ts";
import { createStreamRedactor } from "./redact-stream.ts";
import type { Recording } from "./recording.ts";
import { createRecording } from "./recording.ts";
import type { SeenRequest } from "./request.ts";
import { redactRequest, seeRequest } from "./request.ts";

/** Settings of `record`. */
export interface RecordOptions {
  /** The `fetch` that makes the real calls. */
  readonly fetch: LiveFetch;
  /** The file to write. It is replaced as a whole by `done`, or not at all. */
  readonly cassette: string;
  /** Fields of requests that may differ at replay; they go into the header. */
  readonly ignore?: readonly string[];
  /** `false` writes everything as it came; a recording that then holds a secret is refused. */
  readonly redact?: RedactOptions | false;
  /** Milliseconds, only ever rising. */
  readonly now?: () => number;
  readonly date?: () => Date;
}

/** A `fetch` that makes real calls and records them on a cassette. */
export const record = (options: RecordOptions): CassetteFetch => {
  const tape = createTape(options);
  return withEnd((input, init) => tape.fetch(input, init), "record", {
    done: tape.finish,
    discard: tape.discard,
  });
};

/** A recording with its clock and its open exchanges. */
export interface Tape {
  readonly redactor: Redactor;
  readonly fetch: Fetch;
  readonly send: (request: SeenRequest) => Promise<Response>;
  readonly adopt: (source: string) => Promise<void>;
  readonly finish: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

export const createTape = (options: RecordOptions): Tape => {
  const { fetch, cassette: file, ignore = [], redact, date = () => new Date() } = options;
  const now = options.now ?? (() => performance.now());
  const redactor = createRedactor(redact);
  const recorded = date().toISOString();
  const recording = createRecording({ file, ignore, recorded, redactor });
  const openBodies = new Set<Body>();

  const send = async (request: SeenRequest): Promise<Response> => {
    redactor.learn(request);
    const writer = await openExchange(recording, request, redactor, redact !== false);
    const started = now();
    const elapsed = (): number => Math.round(now() - started);
    let response: Response;
    try {
      response = await request.send(fetch);
    } catch (error) {
      await writer.fail(describeFailure(error, redactor), elapsed());
      throw error;
    }
    const { status, statusText, headers } = response;
    await writer.respond({ status, statusText, headers: redactor.headers(headers) }, elapsed());
    if (response.body === null) {
      await writer.end("complete", elapsed());
      return response;
    }
    const body = recordBody(response.body, writer, elapsed, request.signal, redactor);
    openBodies.add(body);
    return withUrl(new Response(body.stream, { status, statusText, headers }), response.url);
  };
  const sendInput = async (input: FetchInput, init?: RequestInit): Promise<Response> =>
    send(await seeRequest(input, init));

  return {
    redactor,
    fetch: sendInput,
    send,
    adopt: recording.adopt,
    discard: async () => {
      await Promise.all([...openBodies].map((body) => body.abandon()));
      await recording.discard();
    },
    finish: async () => {
      try {
        for (const body of openBodies) await body.settle(file);
      } catch (error) {
        await Promise.all([...openBodies].map((body) => body.abandon()));
        await recording.discard();
        throw error;
      }
      await recording.finish();
    },
  };
};

const openExchange = (
  recording: Recording,
  request: SeenRequest,
  redactor: Redactor,
  isRedacting: boolean,
): Promise<ExchangeWriter> =>
  recording.open(
    redactRequest(request, redactor),
    isRedacting ? createStreamRedactor(redactor.finder) : plainStream,
  );

const plainStream: StreamRedactor = {
  push: (bytes, at) => (bytes.byteLength === 0 ? [] : [{ bytes: Buffer.from(bytes), at }]),
  end: () => [],
};

/** Milliseconds that `done()` waits for a body that is still being read. */
const patience = 10_000;

const turnOfEvents = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

interface Body {
  readonly stream: ReadableStream<Uint8Array>;
  /** Reads bodies no one has started to read, waits for active readers, refuses bodies abandoned halfway. */
  readonly settle: (file: string) => Promise<void>;
  readonly abandon: () => Promise<void>;
}

/**
 * Reads from the service only when the client reads, and writes before it hands on: no branch of
 * its own that could run ahead, nothing held but what the redactor keeps back.
 */
const recordBody = (
  source: ReadableStream<Uint8Array>,
  writer: ExchangeWriter,
  elapsed: () => number,
  signal: AbortSignal | undefined,
  redactor: Redactor,
): Body => {
  const reader = source.getReader();
  let state: "unread" | "reading" | "ended" = "unread";
  let ending: Promise<void> | undefined;
  let pulling: Promise<void> | undefined;

  /** Kept, because a reader that has what it wants calls done() before this is written. */
  const end = (how: BodyEnd, failure?: RecordedFailure): Promise<void> => {
    state = "ended";
    ending = writer.end(how, elapsed(), failure);
    return ending;
  };
  // A connection whose last byte came as its reader left may answer neither way.
  const leave = (): void => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener("abort", leave, { once: true });
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      const { done, value } = await reader.read();
      if (!done) {
        await writer.deliver(value, elapsed());
        return value;
      }
      signal?.throwIfAborted();
    } catch (error) {
      const how = signal?.aborted === true ? "cancelled" : "broken";
      await end(how, describeFailure(error, redactor));
      throw error;
    }
    await end("complete");
    return undefined;
  };
  const handOn = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const value = await next();
    if (value === undefined) controller.close();
    else controller.enqueue(value);
  };
  const isAskedFor = (): boolean => state === "reading" && pulling !== undefined;
  /** A client that has its answer may still be reading to the end; one that asks for nothing more is not. */
  const awaitReader = async (): Promise<void> => {
    const late = AbortSignal.timeout(patience);
    const tooLate = aborted(late);
    await turnOfEvents();
    while (isAskedFor() && !late.aborted) {
      await Promise.race([pulling?.catch(() => undefined), tooLate]);
      await turnOfEvents();
    }
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (state === "unread") state = "reading";
        pulling = handOn(controller).finally(() => {
          pulling = undefined;
        });
        return pulling;
      },
      cancel: async (reason) => {
        state = "ended";
        ending = reader.cancel(reason).then(() => writer.end("cancelled", elapsed()));
        await ending;
      },
    },
    // Nothing is fetched before it is asked for.
    { highWaterMark: 0 },
  );
  return {
    stream,
    settle: async (file) => {
      await ending;
      if (state === "unread") while ((await next()) !== undefined);
      await awaitReader();
      await ending;
      if (state === "reading") {
        throw new VcrError(
          `${file}: a response is still being read. Read it to its end or cancel it before done().`,
          { code: "unfinished", file },
        );
      }
    },
    abandon: async () => {
      if (state === "ended") return;
      state = "ended";
      await reader.cancel().catch(() => undefined);
    },
  };
};

const describeFailure = (error: unknown, redactor: Redactor): RecordedFailure => {
  const { name, message, cause } =
    error instanceof Error ? error : { name: "Error", message: String(error), cause: undefined };
  const code = [cause, error]
    .map((thrown) =>
      typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined,
    )
    .find((found) => typeof found === "string");
  return { name, message: redactor.text(message), ...(code !== undefined && { code }) };
};
