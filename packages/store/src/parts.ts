/** What the chat server shares with the stores. */
export { branchOf, type Link } from "./branch.ts";
export type { Times } from "./growing-times.ts";
export { makeFolder } from "./make-folder.ts";
export { createLoopShare, mapInSlices, type LoopShare } from "./loop-share.ts";
export { decide } from "./limits/decide.ts";
export {
  startOfTurn,
  type DraftEntry,
  type LiveTurns,
  type Signals,
  type TextPiece,
  type TurnNews,
  type TurnPlace,
} from "./turn/live-turns.ts";
export type { CutPart } from "./turn/open-parts.ts";
export type { BlockPlace } from "./store.ts";
