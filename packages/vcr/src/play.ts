import { setTimeout as sleep } from "node:timers/promises";

import type { Cassette, Exchange, RecordedRequest } from "./cassette.ts";
import { VcrError } from "./error.ts";
import type { CassetteFetch } from "./fetch.ts";
import { withEnd } from "./fetch.ts";
import { describeDifferences, findNearest } from "./match.ts";
import { playExchange } from "./play-exchange.ts";
import { readCassette } from "./read-cassette.ts";
import type { RedactOptions, Redactor } from "./redact.ts";
import { createRedactor } from "./redact.ts";
import { redactRequest, seeRequest } from "./request.ts";

/** Waits for this many milliseconds, or until the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

/** Settings of `play`. */
export interface PlayOptions {
  /** `full` speed, or as `recorded`. */
  readonly pace?: "full" | "recorded";
  /** Cut bodies into pieces of this many bytes instead of where they were cut. */
  readonly chunkSize?: number;
  /** Fields that may differ, besides those the header names. */
  readonly ignore?: readonly string[];
  /** As it was recorded: requests are compared in their redacted form. */
  readonly redact?: RedactOptions | false;
  readonly wait?: Wait;
}

/** A `fetch` that answers from a cassette and never from the network. Each exchange answers once. */
export const play = (cassette: string, options: PlayOptions = {}): CassetteFetch => {
  const deck = createDeck(readCassette(cassette), options);
  const redactor = createRedactor(options.redact);
  return withEnd(
    async (input, init) => {
      const request = await seeRequest(input, init);
      request.signal?.throwIfAborted();
      const exchange = deck.take(redact(request, redactor));
      return playExchange(exchange, request, toPlayback(options), cassette);
    },
    "replay",
    { done: async () => deck.check(), discard: async () => undefined },
  );
};

const redact = (
  request: Awaited<ReturnType<typeof seeRequest>>,
  redactor: Redactor,
): RecordedRequest => {
  redactor.learn(request);
  return redactRequest(request, redactor);
};

export const toPlayback = ({
  pace = "full",
  chunkSize,
  wait = async (ms, signal) => sleep(ms, undefined, { signal }),
}: PlayOptions): Parameters<typeof playExchange>[2] => {
  if (chunkSize !== undefined && !(Number.isInteger(chunkSize) && chunkSize > 0)) {
    throw new VcrError(`chunkSize: ${chunkSize} is not allowed. Allowed: whole numbers from 1.`, {
      code: "bad-option",
    });
  }
  return { isPaced: pace === "recorded", chunkSize, wait };
};

/** The exchanges of a cassette, each to be taken once. */
export interface Deck {
  /** The first untaken exchange that matches. Throws `no-match` with the nearest one. */
  readonly take: (request: RecordedRequest) => Exchange;
  readonly find: (request: RecordedRequest) => Exchange | undefined;
  /** Throws if a request found nothing, or an exchange was never taken. */
  readonly check: () => void;
}

export const createDeck = (cassette: Cassette, options: Pick<PlayOptions, "ignore">): Deck => {
  const ignore = [...cassette.header.ignore, ...(options.ignore ?? [])];
  const taken = new Set<Exchange>();
  const misses: VcrError[] = [];

  const find = (request: RecordedRequest): Exchange | undefined => {
    const left = cassette.exchanges.filter((exchange) => !taken.has(exchange));
    const nearest = findNearest(left, request, ignore);
    if (nearest === undefined || nearest.differences.length > 0) return undefined;
    taken.add(nearest.exchange);
    return nearest.exchange;
  };
  return {
    find,
    take: (request) => {
      const found = find(request);
      if (found !== undefined) return found;
      const miss = explainMiss(cassette, request, taken, ignore);
      misses.push(miss);
      throw miss;
    },
    // A client may swallow the error, retry, or wrap it beyond recognition: it is said again here.
    check: () => {
      const [first] = misses;
      if (first !== undefined) throw first;
      const unused = cassette.exchanges.filter((exchange) => !taken.has(exchange));
      if (unused.length > 0) throw explainUnused(cassette, unused);
    },
  };
};

const nameOf = ({ method, url }: RecordedRequest): string => `${method} ${url}`;

const explainMiss = (
  { file, exchanges }: Cassette,
  request: RecordedRequest,
  taken: ReadonlySet<Exchange>,
  ignore: readonly string[],
): VcrError => {
  const left = exchanges.filter((exchange) => !taken.has(exchange));
  const repeated = findNearest([...taken], request, ignore);
  const nearest = findNearest(left, request, ignore) ?? repeated;
  const advice = "Record it again with VCR_RECORD=1, or name fields that may differ in `ignore`.";
  const head = `No recorded exchange answers ${nameOf(request)}`;
  if (nearest === undefined) {
    return new VcrError(`${head}\n${file} holds no exchange. ${advice}`, {
      code: "no-match",
      file,
    });
  }
  if (repeated?.differences.length === 0) {
    const { line } = repeated.exchange;
    return new VcrError(
      `${head}\n${file}:${line} answered it before; it was recorded once and asked for again. ${advice}`,
      { code: "no-match", file, line },
    );
  }
  const { line } = nearest.exchange;
  const { differences } = nearest;
  return new VcrError(
    `${head}\nThe nearest is ${file}:${line} and differs in\n${describeDifferences(differences)}\n${advice}`,
    { code: "no-match", file, line, differences },
  );
};

const explainUnused = ({ file }: Cassette, unused: readonly Exchange[]): VcrError => {
  const list = unused.map(({ line, request }) => `  ${file}:${line} ${nameOf(request)}`).join("\n");
  return new VcrError(
    `${unused.length === 1 ? "An exchange was" : `${unused.length} exchanges were`} recorded and never asked for:\n${list}\nRecord again with VCR_RECORD=1 if the requests are gone for good.`,
    { code: "unused", file, ...(unused[0] !== undefined && { line: unused[0].line }) },
  );
};
