import { once } from "node:events";
import { EventEmitter } from "node:events";
import type { Fetch } from "mull";
import { serviceDialect } from "./load/script.ts";

/** A service whose only block the test says, piece by piece. */
export interface SpokenService {
  readonly fetch: Fetch;
  readonly say: (text: string) => void;
  readonly finish: () => void;
}

export function spokenService(): SpokenService {
  const { start, begin, delta, end, finish } = serviceDialect;
  const encoder = new TextEncoder();
  const asked = new EventEmitter();
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const write = (...frames: readonly string[]): void => {
    const go = (): void => {
      for (const stream of streams) stream.enqueue(encoder.encode(frames.join("")));
    };
    if (streams.size > 0) go();
    else void once(asked, "stream").then(go);
  };
  return {
    fetch: async () => {
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          streams.add(stream);
          stream.enqueue(encoder.encode(start.join("") + begin("text")));
          asked.emit("stream");
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    say: (text) => write(delta("text", text)),
    finish: () => {
      write(...end("text"), ...finish);
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };
}
