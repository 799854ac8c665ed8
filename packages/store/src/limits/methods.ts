/** Tokens and dollars. */
export interface Taken {
  readonly tokens: number;
  readonly cost: number;
}

/** Room for the next step of a turn, asked for before it is sent. */
export interface Reservation {
  readonly userId: string;
  readonly turnId: string;
  /** What the user may have: turns at a time, tokens and dollars in 24 hours. 0 is no limit. */
  readonly most: Taken & { readonly turns: number };
  /** What the turn has taken so far, all of its steps together. */
  readonly took: Taken;
  /** What the step takes before a word is answered. */
  readonly input: Taken;
  /** Tokens of the answer: as many as there is room for, up to `wanted`; refused below `least`. */
  readonly output: { readonly wanted: number; readonly least: number; readonly costEach: number };
  /** It ends by itself after so long, by the clock of the database: its process may be gone. */
  readonly ms: number;
}

/** Which limit stands in the way. */
export type LimitRefusal = "turns" | "tokens" | "cost";

/** What became of a reservation. */
export interface Reserved {
  /** Tokens the answer may have. */
  readonly granted: number;
  readonly refused?: LimitRefusal;
  /** What the user spent in the last 24 hours, steps under way not included. */
  readonly spent: Taken;
  /** What the user's other turns hold for theirs. */
  readonly held: Taken;
}

/** So many at once, and one more every `refillMs`. */
export interface Bucket {
  readonly key: string;
  readonly size: number;
  readonly refillMs: number;
}

/** What came out of a bucket. */
export interface FromBucket {
  readonly taken: number;
  /** Milliseconds until there is one again, where none was left. */
  readonly waitMs: number;
}

/** The part of a store that keeps what users may take. */
export interface LimitMethods {
  /**
   * Keeps room for the next step of a turn, and settles the steps before it. One at a time for each
   * user, whichever process asks: what several take together never exceeds what they may.
   */
  reserve(given: Reservation): Promise<Reserved>;
  /** The turn is over and took this, steps that were settled before included. More than once is once. */
  settle(userId: string, turnId: string, took: Taken): Promise<void>;
  /** Takes up to `most` out of a bucket that every process on this store shares. */
  takeFrom(bucket: Bucket, most?: number): Promise<FromBucket>;
  /** Gives some back, one when left out. */
  giveBack(bucket: Bucket, count?: number): Promise<void>;
  /** As if nothing had ever been taken. */
  refill(key: string): Promise<void>;
  /** Forgets full buckets and reservations whose time was over a day ago. */
  forgetLimits(): Promise<void>;
}

/** What was spent is kept by the hour, so that a sum over a day reads few rows. */
export const hourMs: number = 60 * 60 * 1000;
/** A day, and the hour it begins in. */
export const spentHours = 24;
