import type { Script } from "@mull/emulator";

import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { say } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { readPort } from "../frame/read-count.ts";
import { UsageError } from "../frame/usage-error.ts";
import { untilStopped } from "../frame/until-stopped.ts";
import { readJsonFile } from "../wire-tools/input.ts";

export const run: RunCommand = async (given, io) => {
  const stopped = untilStopped(io);
  const { environmentLines, listen } = await import("@mull/emulator/node");
  const port = readPort("--port", given.text("port"));
  const host = given.text("host");
  const isRemote = given.has("allow-remote");
  if (host !== undefined && !loopback.has(host) && !isRemote) throw notLoopback(host);
  const hosts = given.texts("host-name");
  const faults = given.text("faults");
  const scripts = given.text("scripts");
  const listening = await listen({
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(isRemote && { allowRemote: true }),
    ...(hosts.length > 0 && { hosts }),
    ...(faults !== undefined && { faults }),
    ...(scripts !== undefined && { scripts: await readScripts(scripts, io) }),
  });
  await io.out(`${environmentLines(listening.url).join("\n")}\n`);
  say(io, `The services, simulated, on ${listening.url}. Ctrl-C ends it.\n`);
  await stopped;
  await listening.close();
  return exitCodes.done;
};

/** The library refuses it too, in the words of a program. */
const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

const notLoopback = (host: string): UsageError =>
  new UsageError(
    `--host: ${JSON.stringify(host)} is not loopback. Allowed: ${[...loopback].join(" ")}`,
    "Anyone who reaches another address can read every request. To allow it, add --allow-remote.",
  );

async function readScripts(file: string, io: Io): Promise<readonly Script[]> {
  const { parseScripts } = await import("@mull/emulator");
  return parseScripts(await readJsonFile(file, io));
}
