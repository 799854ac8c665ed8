import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { everyWire } from "./contestants/contestant.ts";
import { type ChunkSize, makeStream, type RecordedStream } from "./streams.ts";

function chunksOf({ bytes, ends }: RecordedStream, size: ChunkSize): readonly Uint8Array[] {
  const cuts =
    size === "event"
      ? ends
      : Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => (at + 1) * size);
  return cuts.map((end, at) => bytes.subarray(cuts[at - 1] ?? 0, end));
}

/** Answers every POST with one streamed answer of the wire named in the path: `/<wire>/…`. */
export async function serveStreams(
  deltas: number,
  size: ChunkSize = 1400,
): Promise<{ readonly server: Server; readonly port: number }> {
  const streams: ReadonlyMap<string, readonly Uint8Array[]> = new Map(
    everyWire.map((wire) => {
      const stream = makeStream(wire, { thinking: deltas, text: deltas, input: 0 });
      return [`/${wire}`, chunksOf(stream, size)] as const;
    }),
  );
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const chunks = streams.get(path.slice(0, path.indexOf("/", 1)));
    request.resume().on("end", () => {
      response.writeHead(chunks === undefined ? 404 : 200, { "content-type": "text/event-stream" });
      for (const chunk of chunks ?? []) response.write(chunk);
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}
