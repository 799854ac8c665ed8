import { serveStreams } from "./serve-streams.ts";

/** The server in a process of its own: prints its port. */
const { port } = await serveStreams(Number(process.argv[2]));
console.log(port);
