import { runWithTape } from "../ask/run-with-tape.ts";
import type { Run } from "../frame/command.ts";

export const run: Run = (given, io) => runWithTape("replay", given, io);
