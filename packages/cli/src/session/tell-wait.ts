import type { AgentOptions } from "mull";
import type { ReplClock } from "../repl/terminal.ts";

/** Sleeps between two tries of a request and tells of it: a minute of silence looks like a dead line. */
export const tellWait =
  (
    clock: Pick<ReplClock, "after">,
    tell: (ms: number) => void,
  ): NonNullable<AgentOptions["sleep"]> =>
  (ms, signal) => {
    tell(ms);
    return new Promise((resolve) => {
      signal.addEventListener("abort", clock.after(ms, resolve), { once: true });
    });
  };
