import { closeSync, openSync, readSync } from "node:fs";
import { type Contestant, everyWire } from "./contestants/contestant.ts";
import { floor, pump } from "./contestants/floor.ts";
import { mull } from "./contestants/mull.ts";

/**
 * Reads one long stream in a process of its own and prints the peak of its memory in KiB. The stream
 * comes from a file, a chunk at a time, so that nothing of it but what a reader keeps is in memory.
 */
const [name, wire, file] = process.argv.slice(2);
const contestant = ([floor, mull, pump] as readonly Contestant[]).find(
  (each) => each.name === name,
);
const id = everyWire.find((each) => each === wire);
if (contestant === undefined || id === undefined || file === undefined) {
  throw new Error("read-child <name> <wire> <file>");
}

function bodyOf(path: string): ReadableStream<Uint8Array> {
  const opened = openSync(path, "r");
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = new Uint8Array(16_384);
        const length = readSync(opened, chunk);
        if (length > 0) controller.enqueue(chunk.subarray(0, length));
        else {
          closeSync(opened);
          controller.close();
        }
      },
    },
    { highWaterMark: 0 },
  );
}

const headers = { "content-type": "text/event-stream" };
await contestant.read(id, () => Promise.resolve(new Response(bodyOf(file), { headers })));
console.log(process.resourceUsage().maxRSS);
