import { MullError } from "mull";
import { storeError } from "./store-error.ts";
import type { Turn } from "./store.ts";

/** One text for "missing" and "not yours", so that neither gives the other away. */
export const notFound = (what: "conversation" | "message" | "turn" | "account"): MullError =>
  storeError("not_found", `There is no such ${what}.`);

/** The refusal has the current head, so that the sender can look at what came in between. */
const conflict = (code: string, message: string, head: string | null): MullError =>
  new MullError(message, {
    category: "invalid_argument",
    status: 409,
    code,
    field: "expectedHead",
    allowed: head === null ? [] : [head],
  });

export const staleHead = (head: string | null): MullError =>
  conflict("stale_head", "The conversation changed in the meantime. Load it and send again.", head);

export const turnRunning = (head: string | null): MullError =>
  conflict("turn_running", "The conversation is being answered. Wait for it, or stop it.", head);

export const conversationTaken = (): MullError =>
  storeError("name_taken", "There is already a conversation with that id. Choose another one.");

export const keyReused = (): MullError =>
  storeError("key_reused", "The idempotency key was used for another message. Use a new one.");

export const turnOver = (turn?: Turn): MullError =>
  storeError(
    "turn_over",
    turn === undefined || turn.state === "running"
      ? "Another process is running this turn."
      : `The turn is over: ${turn.state}.`,
  );

export const nameTaken = (): MullError =>
  storeError(
    "name_taken",
    "There is already an account with that name. Choose another one, or sign in.",
  );

/** Two people must not share a session. */
export const tokenTaken = (): MullError =>
  storeError("name_taken", "A session with that token exists already. Make another one.");

/** Nobody hears it. */
export const isLeft = (): MullError =>
  storeError("left", "Nobody is waiting for the answer any more.");

export const isClosed = (): MullError => storeError("closed", "The store is closed.");
