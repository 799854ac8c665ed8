import type { BeginTurn, BegunTurn } from "../store.ts";

/** Tokens and dollars. */
export interface Taken {
  readonly tokens: number;
  readonly cost: number;
}

/** A reservation for the next step of a turn, made before the step is sent. */
export interface Reservation {
  readonly userId: string;
  readonly turnId: string;
  /** What the user may take: turns at a time, tokens and dollars in 24 hours. 0 means no limit. */
  readonly most: Taken & { readonly turns: number };
  /** What all steps of the turn have taken so far. */
  readonly took: Taken;
  /** What the step takes before any answer. */
  readonly input: Taken;
  /** Tokens for the answer: as many as fit, up to `wanted`; refused below `least`. */
  readonly output: { readonly wanted: number; readonly least: number; readonly costEach: number };
  /**
   * The reservation ends after this long by the database's clock, because its process may be gone.
   */
  readonly ms: number;
}

/** The limit that leaves no room. */
export type LimitRefusal = "turns" | "tokens" | "cost";

/** What became of a reservation. */
export interface Reserved {
  /** Tokens that the answer may have. */
  readonly granted: number;
  readonly refused?: LimitRefusal;
  /** What the user spent in the last 24 hours, without steps under way. */
  readonly spent: Taken;
  /** What the user's other turns have reserved. */
  readonly held: Taken;
}

/** What became of a reservation, and the turn if it was begun at the same time. */
export interface ReservedTurn extends Reserved {
  readonly begun?: BegunTurn;
}

/** Holds this many, and gains one every `refillMs`. */
export interface Bucket {
  readonly key: string;
  readonly size: number;
  readonly refillMs: number;
}

/** The result of taking from a bucket. */
export interface FromBucket {
  readonly taken: number;
  /** Milliseconds until there is one again, if none was left. */
  readonly waitMs: number;
}

/** The part of a store that counts what users take. */
export interface LimitMethods {
  /**
   * Reserves room for the next step of a turn, and settles the steps before it. Calls for one user
   * run one at a time, whichever process makes them, so several turns together never exceed the
   * limit. A store that can begin the turn at the same time does so if there is room and nothing
   * else is in the way; otherwise `beginTurn` begins it, or says why not.
   */
  reserve(given: Reservation, turn?: BeginTurn): Promise<ReservedTurn>;
  /**
   * Ends the turn's reservation: it took this much, settled steps included. Calling it twice counts
   * once.
   */
  settle(userId: string, turnId: string, took: Taken): Promise<void>;
  /** Takes up to `most` from a bucket that all processes on this store share. */
  takeFrom(bucket: Bucket, most?: number): Promise<FromBucket>;
  /** Gives some back; one when left out. */
  giveBack(bucket: Bucket, count?: number): Promise<void>;
  /** Fills the bucket. */
  refill(key: string): Promise<void>;
  /** Forgets full buckets, and reservations that expired more than a day ago. */
  forgetLimits(): Promise<void>;
}

/** Spending is kept by the hour, so that a sum over a day reads few rows. */
export const hourMs: number = 60 * 60 * 1000;
/** A day, and the hour it begins in. */
export const spentHours = 24;
