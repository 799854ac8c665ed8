import type { Run } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { readPort } from "../frame/read-count.ts";
import { untilStopped } from "../frame/until-stopped.ts";

export const run: Run = async (given, io) => {
  const stopped = untilStopped(io);
  const { environmentLines, listen } = await import("@mull/emulator/node");
  const port = readPort("--port", given.text("port"));
  const host = given.text("host");
  const listening = await listen({
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(given.has("allow-remote") && { allowRemote: true }),
  });
  await io.out(`${environmentLines(listening.url).join("\n")}\n`);
  io.err(`The services, simulated, on ${listening.url}. Ctrl-C ends it.\n`);
  await stopped;
  await listening.close();
  return exitCodes.done;
};
