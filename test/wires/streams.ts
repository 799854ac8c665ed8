import { readdirSync } from "node:fs";
import { join } from "node:path";

import { readCassette } from "@mull/vcr";
import { isMullError, type MullError, type Reply, type WireId } from "mull";
import { readExchange } from "mull/wire";

import { fixtureDirectory } from "../contract/recording.ts";

export interface RecordedStream {
  readonly name: string;
  readonly wire: WireId;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const wireOf = (url: string): WireId => {
  if (url.includes("/chat/completions")) return "openai-chat";
  if (url.includes("/responses")) return "openai-responses";
  return url.includes("/messages") ? "anthropic-messages" : "google-generate";
};

const isStreamed = (url: string, body: unknown): boolean =>
  url.includes("streamGenerateContent") ||
  (body as { stream?: boolean } | undefined)?.stream === true;

/** Every streamed answer the cassettes hold, in the framing it came in. */
export const recordedStreams: readonly RecordedStream[] = readdirSync(fixtureDirectory, {
  recursive: true,
  encoding: "utf8",
})
  .filter((name) => name.endsWith(".jsonl"))
  .toSorted()
  .flatMap((name) =>
    readCassette(join(fixtureDirectory, name)).exchanges.flatMap((exchange, index) => {
      const { request, response, deliveries } = exchange;
      if (response?.status !== 200 || !isStreamed(request.url, request.json)) return [];
      const bytes = new Uint8Array(Buffer.concat(deliveries.map((delivery) => delivery.bytes)));
      return [{ name: `${name}#${index + 1}`, wire: wireOf(request.url), bytes }];
    }),
  );

export const wireIds: readonly WireId[] = [
  "anthropic-messages",
  "openai-responses",
  "openai-chat",
  "google-generate",
];

export const streamsOf = (wire: WireId): readonly RecordedStream[] =>
  recordedStreams.filter((stream) => stream.wire === wire);

export interface Outcome {
  readonly reply?: Reply;
  readonly error?: MullError;
}

/** What becomes of a body: a reply or a typed error. Anything else that is thrown is a bug and passes. */
export const outcomeOf = (wire: WireId, body: Uint8Array, chunkSize?: number): Outcome =>
  settle(() =>
    readExchange({
      wire,
      body,
      stream: true,
      newId: () => "made-here",
      ...(chunkSize !== undefined && { chunkSize }),
    }),
  );

function settle(read: () => Reply): Outcome {
  try {
    return { reply: read() };
  } catch (error) {
    if (isMullError(error)) return { error };
    throw error;
  }
}
