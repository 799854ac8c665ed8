import { existsSync } from "node:fs";

import type { CassetteFetch } from "./fetch.ts";
import { withEnd } from "./fetch.ts";
import type { PlayOptions } from "./play.ts";
import { createDeck, toPlayback } from "./play.ts";
import { playExchange } from "./play-exchange.ts";
import { readCassette } from "./read-cassette.ts";
import type { RecordOptions } from "./record.ts";
import { createTape } from "./record.ts";
import { redactRequest, seeRequest } from "./request.ts";

/** A `fetch` that answers from the cassette what it can, records the rest, and keeps only what was asked for. */
export const refresh = (options: RecordOptions & PlayOptions): CassetteFetch => {
  const { cassette: file } = options;
  const old = existsSync(file) ? readCassette(file) : undefined;
  const deck = old === undefined ? undefined : createDeck(old, options);
  const ignore = [...new Set([...(old?.header.ignore ?? []), ...(options.ignore ?? [])])];
  const tape = createTape({ ...options, ignore });
  return withEnd(
    async (input, init) => {
      const request = await seeRequest(input, init);
      tape.redactor.learn(request);
      const known = deck?.find(redactRequest(request, tape.redactor));
      if (known === undefined) return tape.send(request);
      request.signal?.throwIfAborted();
      await tape.adopt(known.source);
      return playExchange(known, request, toPlayback(options), file);
    },
    "refresh",
    { done: tape.finish, discard: tape.discard },
  );
};
