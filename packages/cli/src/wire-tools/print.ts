import type { Given } from "../frame/command.ts";
import type { Io } from "../frame/io.ts";

/** One line for programs; indented if a person looks at it. */
export const printJson = (value: object, given: Given, io: Io): Promise<void> =>
  io.out(`${JSON.stringify(value, null, io.terminal.stdout && !given.has("json") ? 2 : 0)}\n`);
