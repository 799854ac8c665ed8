/** What the chat server shares with the stores. */
export { branchOf, type Link } from "./branch.ts";
export type { Times } from "./growing-times.ts";
export { createLoopShare, mapInSlices, type LoopShare } from "./loop-share.ts";
export { decide } from "./limits/decide.ts";
