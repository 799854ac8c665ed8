import { isAtTerminal, type Io } from "./frame/io.ts";
import { lookOf } from "./frame/look.ts";

/** Runs the `mull` command with these arguments and returns its exit code. It never throws. */
export async function run(argv: readonly string[], world: Io): Promise<number> {
  const io = withSpelledErrors(world);
  try {
    // The bare command is the chat: its prompt must not wait for the table of commands.
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

/** mull writes everything on stderr, so without UTF-8 its signs become ASCII. */
function withSpelledErrors(io: Io): Io {
  const { spell } = lookOf(io);
  // Inherited, not copied: looking at its signal would take Ctrl-C away from the chat.
  return Object.assign(Object.create(io) as Io, { err: (text: string) => io.err(spell(text)) });
}
