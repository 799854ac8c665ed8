/** One streamed turn on one wire and nothing else, for the smallest bundles. */
export { streamTurn, type LeanOptions, type LeanRequest, type LeanTarget } from "./chat/lean.ts";
export { isMullError, MullError } from "./types/error.ts";
export type { StreamEvent } from "./types/event.ts";
