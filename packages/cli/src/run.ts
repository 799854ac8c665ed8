import { isAtTerminal, type Io } from "./frame/io.ts";

/** Runs one call of `mull` and returns its exit code. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    // The bare command is the chat: its prompt waits for no table of commands.
    if (argv.length === 0 && isAtTerminal(io)) {
      const { nothingGiven, run: chat } = await import("./commands/chat.ts");
      return await chat(nothingGiven, io);
    }
    const { dispatch } = await import("./dispatch.ts");
    return await dispatch(argv, io);
  } catch (error) {
    const { reportRun } = await import("./dispatch.ts");
    return reportRun(argv, error, io);
  }
}
