#!/usr/bin/env node
import { nodeIo } from "./frame/node-io.ts";
import { run } from "./run.ts";

process.exitCode = await run(process.argv.slice(2), nodeIo());
// Exits once everything is written: an open stdin or a connection that is kept alive must not
// delay it.
process.stdin.unref?.();
process.stdout.write("", () => process.exit());
