/** The `mull` command as a function. */
export { run } from "./run.ts";
export type { Io } from "./frame/io.ts";
