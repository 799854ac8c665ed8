export { run } from "./run.ts";
export { commands, askOptions } from "./commands.ts";
export type { Io } from "./frame/io.ts";
export type { Command, OptionSpec, OptionTable } from "./frame/command.ts";
