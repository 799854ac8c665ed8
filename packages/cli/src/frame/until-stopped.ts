import type { Io } from "./io.ts";

/** Resolves when the command is told to end. */
export const untilStopped = ({ signal }: Io): Promise<void> =>
  new Promise((stopped) => {
    if (signal.aborted) stopped();
    else signal.addEventListener("abort", () => stopped(), { once: true });
  });
