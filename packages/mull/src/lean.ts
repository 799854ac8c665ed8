/**
 * One streamed turn with one wire, and nothing else: for bundles that must stay small. `mull/core`
 * adds the dial and the history compiler, `mull` everything.
 */
export { streamTurn, type LeanOptions, type LeanRequest, type LeanTarget } from "./chat/lean.ts";
export { isMullError, MullError } from "./types/error.ts";
export type { StreamEvent } from "./types/event.ts";
