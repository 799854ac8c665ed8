import type { Keyboard } from "./keyboard.ts";
import { LiveFront } from "./live-front.ts";
import { createLook } from "./look.ts";
import type { ReplOptions } from "./options.ts";
import { reflowOf } from "./screen.ts";
import type { ReplClock, Terminal } from "./terminal.ts";
import { createWidths } from "./rows.ts";

/**
 * The chat on a terminal, from the first prompt to the last line. Resolves to the exit code. The
 * prompt is painted first; keys wait in the terminal until they are read.
 */
export async function runLive(
  options: ReplOptions,
  terminal: Terminal,
  clock: ReplClock,
): Promise<number> {
  const { env } = options.io;
  let keyboard: Keyboard | undefined;
  const look = createLook(env);
  const front = new LiveFront({
    terminal,
    clock,
    look,
    widths: createWidths(undefined, look.spell("…")),
    reflow: reflowOf(env),
    pager: env["PAGER"] || undefined,
    status: () => keyboard?.status,
    queued: () => keyboard?.queued ?? [],
  });
  front.start();
  const { Keyboard: Reader } = await import("./keyboard.ts");
  keyboard = new Reader({ repl: options, terminal, clock, front });
  return keyboard.run();
}
