import type { ExchangeWriter } from "./exchange-writer.ts";
import type { CassetteFetch, Fetch, FetchInput, LiveFetch } from "./fetch.ts";
import { withEnd, withUrl } from "./fetch.ts";
import type { RedactOptions, Redactor } from "./redact.ts";
import { createRedactor } from "./redact.ts";
import { describeFailure, RecordedBody } from "./record-body.ts";
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
  const openBodies = new Set<RecordedBody>();

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
    const exchange = { writer, elapsed, signal: request.signal, redactor };
    const body = new RecordedBody(response.body, exchange);
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
