import { serveStreams } from "./serve-streams.ts";

/** The server in a process of its own: prints its port. */
const [deltas, size] = process.argv.slice(2);
const { port } = await serveStreams(Number(deltas), size === "event" ? size : undefined);
console.log(port);
