/** The command as a function, for programs that run it in a world of their own. */
export { run } from "./run.ts";
export type { Io } from "./frame/io.ts";
