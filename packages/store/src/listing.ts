import type { Message } from "mull";
import type { StoredMessage } from "./store.ts";

/** A stored message without what is said in it. */
export interface MessageLink extends Pick<StoredMessage, "id" | "parentId" | "turnId"> {
  readonly role: Message["role"];
}

/** Which turns to list, and how much of each. */
export interface ListTurns {
  /** Only these. */
  readonly ids?: readonly string[];
  /** Without usage and receipts, which are most of a turn. */
  readonly isBrief?: boolean;
}

/** Which conversations to list. */
export interface ListConversations {
  /** At most so many, latest change first. 50 when left out. */
  readonly limit?: number;
  /** Only what was changed before; with `beforeId`, also what was changed then and is listed behind it. */
  readonly before?: number;
  readonly beforeId?: string;
  /** A text that title or messages contain, in any case of letters. */
  readonly search?: string;
  /** Search thinking and tool output as well. */
  readonly everything?: boolean;
  /** Nobody waits any more: a search ends, with an error of the code `left`. */
  readonly signal?: AbortSignal;
}
