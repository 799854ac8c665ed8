import type { Io } from "./io.ts";

/** Resolves when somebody ends the command. */
export const untilStopped = ({ signal }: Io): Promise<void> =>
  new Promise((stopped) => {
    if (signal.aborted) stopped();
    else signal.addEventListener("abort", () => stopped(), { once: true });
  });
