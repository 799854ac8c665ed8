#!/usr/bin/env node
import { exitCodes } from "./frame/exit-code.ts";
import { nodeIo } from "./frame/node-io.ts";
import { run } from "./run.ts";

const stop = new AbortController();
let stops = 0;
const onSignal = (): void => {
  stops++;
  stop.abort();
  // The first asks for an orderly end; whoever repeats it means it.
  if (stops > 1) process.exit(exitCodes.interrupted);
};
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);
process.on("SIGHUP", onSignal);

process.exitCode = await run(process.argv.slice(2), nodeIo(stop.signal));
// A pipe that nobody reads, or a kept connection, must not hold the process.
process.stdin.unref?.();
if (process.exitCode === exitCodes.closedPipe || stop.signal.aborted) process.exit();
