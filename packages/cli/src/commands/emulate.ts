import type { Script } from "@mull/emulator";
import type { JsonValue } from "mull";

import type { Run } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import type { Io } from "../frame/io.ts";
import { readPort } from "../frame/read-count.ts";
import { untilStopped } from "../frame/until-stopped.ts";
import { readJsonFile } from "../wire-tools/input.ts";

export const run: Run = async (given, io) => {
  const stopped = untilStopped(io);
  const { environmentLines, listen } = await import("@mull/emulator/node");
  const port = readPort("--port", given.text("port"));
  const host = given.text("host");
  const faults = given.text("faults");
  const scripts = given.text("scripts");
  const listening = await listen({
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(given.has("allow-remote") && { allowRemote: true }),
    ...(faults !== undefined && { faults }),
    ...(scripts !== undefined && { scripts: await readScripts(scripts, io) }),
  });
  await io.out(`${environmentLines(listening.url).join("\n")}\n`);
  io.err(`The services, simulated, on ${listening.url}. Ctrl-C ends it.\n`);
  await stopped;
  await listening.close();
  return exitCodes.done;
};

async function readScripts(file: string, io: Io): Promise<readonly Script[]> {
  const { parseScripts } = await import("@mull/emulator");
  return parseScripts((await readJsonFile(file, io)) as JsonValue);
}
