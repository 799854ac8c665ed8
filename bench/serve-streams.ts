import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { everyWire } from "./contestants/contestant.ts";
import { makeStream } from "./streams.ts";

/** Answers every POST with one streamed answer of the wire named in the path: `/<wire>/…`. */
export async function serveStreams(
  deltas: number,
): Promise<{ readonly server: Server; readonly port: number }> {
  const streams: ReadonlyMap<string, Uint8Array> = new Map(
    everyWire.map((wire) => {
      const { bytes } = makeStream(wire, { thinking: deltas, text: deltas, input: 0 });
      return [`/${wire}`, bytes] as const;
    }),
  );
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const bytes = streams.get(path.slice(0, path.indexOf("/", 1)));
    request.resume().on("end", () => {
      response.writeHead(bytes === undefined ? 404 : 200, { "content-type": "text/event-stream" });
      const size = bytes?.length ?? 0;
      for (let at = 0; at < size; at += 1400) response.write(bytes?.subarray(at, at + 1400));
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}
