import type { StoredMessage, Turn } from "../store.ts";
import type { DraftRow } from "./draft.ts";

/** Text of an unfinished block. */
export interface TextPiece {
  readonly turnId: string;
  /** Which answer of the turn, and which block of it. */
  readonly step: number;
  readonly block: number;
  /** How much of the block comes before it. */
  readonly start: number;
  readonly kind: "text" | "thinking";
  readonly text: string;
}

/** Something that a running turn has finished, and its place. */
export interface DraftEntry extends DraftRow {
  readonly seq: number;
}

/** How far a turn has been read. */
export interface TurnPlace {
  readonly userId: string;
  readonly turnId: string;
  /** When the last message that was read was stored. */
  readonly message: number;
  /** The last draft entry that was read. */
  readonly entry: number;
  /** Texts from this point on are read. */
  readonly step: number;
  readonly block: number;
  readonly start: number;
}

/** What a turn has said after a place. */
export interface TurnNews {
  readonly turn: Turn;
  /** Without the question. */
  readonly messages: readonly StoredMessage[];
  readonly entries: readonly DraftEntry[];
  readonly texts: readonly TextPiece[];
}

/**
 * Short messages between the processes of one store. They arrive at once or not at all; the store
 * has what they are about.
 */
export interface Signals {
  readonly send: (word: string) => Promise<void>;
  readonly hear: (listener: (word: string) => void) => void;
  /** Whether messages reach this process at the moment. */
  readonly isHeard: () => boolean;
}

/** The part of a store that tells other processes about running turns. */
export interface LiveTurns {
  /**
   * Stores text of open blocks, for all turns of this process at once. A piece with the same start
   * replaces the earlier one. Returns the turns that this process has lost.
   */
  readonly storeTexts: (pieces: readonly TextPiece[]) => Promise<readonly string[]>;
  /** What came after each place. Leaves out turns that are gone or belong to another user. */
  readonly readNews: (places: readonly TurnPlace[]) => Promise<readonly TurnNews[]>;
  /**
   * Asks the process that runs a turn to stop it. That process looks when it is notified, and from
   * time to time.
   */
  readonly askToStop: (userId: string, turnId: string) => Promise<void>;
  /** Returns each turn of this process that a user asked to stop, once. */
  readonly hearStops: (stop: (turnId: string) => void) => Promise<void>;
  /** Absent if messages can't travel. */
  readonly signals?: Signals;
}

/** The place before everything. */
export const startOfTurn = (userId: string, turnId: string): TurnPlace => ({
  userId,
  turnId,
  message: 0,
  entry: 0,
  step: 0,
  block: 0,
  start: 0,
});
