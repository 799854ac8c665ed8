/** What the chat server shares with the stores: branches of a conversation, and long lists in slices. */
export { branchOf, type Link } from "./branch.ts";
export type { Times } from "./growing-times.ts";
export { mapInSlices } from "./map-in-slices.ts";
