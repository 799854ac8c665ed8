import type { CacheHints } from "mull";
import type { Given } from "../frame/command.ts";
import { UsageError } from "../frame/usage-error.ts";

/** How long `--cache` keeps a prompt. */
export function cacheHints(given: Given): { readonly cache?: CacheHints } {
  const kept = given.text("cache");
  if (kept === undefined) return {};
  if (kept !== "5m" && kept !== "1h") throw new UsageError(`--cache ${kept}: expected 5m or 1h.`);
  return { cache: { breakpoints: kept === "1h" ? kept : true } };
}
