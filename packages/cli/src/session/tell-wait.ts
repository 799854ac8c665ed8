import type { AgentOptions, ErrorCategory, MullError } from "mull";
import { vendorOf } from "../repl/error-text.ts";
import type { ReplClock } from "../repl/terminal.ts";

/** Sleeps between two tries of a request and tells of it: a minute of silence looks like a dead line. */
export const tellWait =
  (
    clock: Pick<ReplClock, "after">,
    tell: (ms: number, why: string) => void,
  ): NonNullable<AgentOptions["sleep"]> =>
  (ms, signal, error) => {
    tell(ms, whyWaiting(error));
    return new Promise((resolve) => {
      signal.addEventListener("abort", clock.after(ms, resolve), { once: true });
    });
  };

const reasons: ReadonlyMap<ErrorCategory, (vendor: string) => string> = new Map([
  ["rate_limit", (vendor) => `rate limited by ${vendor}`],
  ["overloaded", (vendor) => `${vendor} is overloaded`],
  ["network", (vendor) => `cannot reach ${vendor}`],
]);

function whyWaiting({ category, provider, status }: MullError): string {
  const vendor = vendorOf(provider, "the service");
  const why = reasons.get(category)?.(vendor) ?? `${vendor} failed`;
  return status === undefined ? why : `${why} (${status})`;
}
