/** What the chat server shares with the stores: branches of a conversation, and the event loop. */
export { branchOf, type Link } from "./branch.ts";
export type { Times } from "./growing-times.ts";
export { createLoopShare, mapInSlices, type LoopShare } from "./loop-share.ts";
