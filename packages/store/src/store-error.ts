import { MullError, type MullErrorFields } from "mull";

/** The codes of a store's errors. */
export type StoreErrorCode =
  | "not_found"
  | "stale_head"
  | "turn_running"
  | "turn_over"
  | "name_taken"
  | "key_reused"
  | "held"
  | "full"
  | "broken"
  | "busy"
  | "unavailable"
  | "newer"
  | "foreign"
  | "closed"
  | "left";

/** The HTTP status and category of each. */
const failures: Readonly<Record<StoreErrorCode, MullErrorFields>> = {
  not_found: { category: "not_found", status: 404 },
  stale_head: { category: "invalid_argument", status: 409 },
  turn_running: { category: "invalid_argument", status: 409 },
  turn_over: { category: "invalid_argument", status: 409 },
  name_taken: { category: "invalid_argument", status: 409 },
  key_reused: { category: "invalid_argument", status: 422 },
  held: { category: "permission", status: 409 },
  full: { category: "server", status: 507, retryable: true },
  broken: { category: "server", status: 503 },
  busy: { category: "overloaded", status: 503, retryable: true },
  unavailable: { category: "server", status: 503, retryable: true },
  newer: { category: "invalid_argument", status: 500 },
  foreign: { category: "invalid_argument", status: 409 },
  left: { category: "aborted", status: 499 },
  closed: { category: "invalid_argument", status: 503 },
};

export const storeError = (code: StoreErrorCode, message: string, cause?: unknown): MullError =>
  new MullError(message, { ...failures[code], code }, cause === undefined ? undefined : { cause });

export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === code;

/** The disk, or this user's share of it, is full. */
export const isNoRoom = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT", "EFBIG"].some((code) => hasCode(error, code));
