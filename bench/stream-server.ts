import { createServer } from "node:http";
import { everyWire } from "./contestants/contestant.ts";
import { makeStream } from "./streams.ts";

/** Answers every POST with one streamed answer of the wire named in the path: `/<wire>/…`. */
const deltas = Number(process.argv[2]);
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
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(address.port);
});
