import { runWithTape } from "../ask/run-with-tape.ts";
import type { RunCommand } from "../frame/command.ts";

export const run: RunCommand = (given, io) => runWithTape("replay", given, io);
