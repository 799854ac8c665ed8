import type { ReplOptions } from "./options.ts";
import { replClock } from "./terminal.ts";

export type { ReplOptions } from "./options.ts";

/**
 * Chats until the person leaves; resolves to the exit code. On a terminal it draws a live region;
 * plain lines if that is asked for or impossible.
 */
export async function startRepl(options: ReplOptions): Promise<number> {
  const terminal = options.terminal ?? (await import("./terminal.ts")).nodeTerminal();
  const { io, settings } = options;
  const isPlain = settings.plain === true || io.env["TERM"] === "dumb" || !io.terminal.stdout;
  if (isPlain) return (await import("./plain-repl.ts")).runPlain(options, terminal, replClock);
  return (await import("./live-repl.ts")).runLive(options, terminal, replClock);
}
