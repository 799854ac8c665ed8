import type { StoredMessage, Turn } from "../store.ts";
import type { DraftRow } from "./draft.ts";

/** Text of a block that has not ended. */
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

/** Something a running turn has finished, and its place among them. */
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
  /** Texts from here on are read. */
  readonly step: number;
  readonly block: number;
  readonly start: number;
}

/** What came of a turn behind a place. */
export interface TurnNews {
  readonly turn: Turn;
  /** Without the question. */
  readonly messages: readonly StoredMessage[];
  readonly entries: readonly DraftEntry[];
  readonly texts: readonly TextPiece[];
}

/**
 * Short words between the processes of one store. They are heard at once or not at all; what they
 * are about is in the store.
 */
export interface Signals {
  readonly send: (word: string) => Promise<void>;
  readonly hear: (listener: (word: string) => void) => void;
  /** Whether words reach this process at the moment. */
  readonly isHeard: () => boolean;
}

/** The part of a store that tells other processes of turns that run. */
export interface LiveTurns {
  /**
   * Stores text of open blocks, of all turns of this process at once. What begins where an earlier
   * piece began takes its place. Returns the turns that are not this process's any more.
   */
  readonly storeTexts: (pieces: readonly TextPiece[]) => Promise<readonly string[]>;
  /** What came behind each place. Turns that are gone, or another user's, are left out. */
  readonly readNews: (places: readonly TurnPlace[]) => Promise<readonly TurnNews[]>;
  /** Asks the process that runs a turn to stop it; it looks when it hears of it, and every now and then. */
  readonly askToStop: (userId: string, turnId: string) => Promise<void>;
  /** Gives each turn of this process that somebody asked to stop, once. */
  readonly hearStops: (stop: (turnId: string) => void) => Promise<void>;
  /** Absent where no words travel. */
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
