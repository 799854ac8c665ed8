#!/usr/bin/env node
import { nodeIo } from "./frame/node-io.ts";
import { run } from "./run.ts";

process.exitCode = await run(process.argv.slice(2), nodeIo());
// What was written leaves with the exit; an open stdin or a kept connection must not hold it up.
process.stdin.unref?.();
process.stdout.write("", () => process.exit());
