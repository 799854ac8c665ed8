import type { Message } from "mull";
import type { StoredMessage } from "./store.ts";

/** A stored message without its content. */
export interface MessageLink extends Pick<StoredMessage, "id" | "parentId" | "turnId"> {
  readonly role: Message["role"];
}

/** Which turns to list, and how much of each. */
export interface ListTurns {
  /** Only these turns. */
  readonly ids?: readonly string[];
  /** Leaves out usage and receipts, which are most of a turn. */
  readonly isBrief?: boolean;
}

/** Which conversations to list. */
export interface ListConversations {
  /** At most this many, latest change first. Default 50. */
  readonly limit?: number;
  /**
   * Only those changed before this time; with `beforeId`, also those changed then and listed after
   * it.
   */
  readonly before?: number;
  readonly beforeId?: string;
  /** A text in the title or the messages, in upper or lower case. */
  readonly search?: string;
  /** Search thinking and tool output as well. */
  readonly everything?: boolean;
  /** Ends the search when the caller has left, with an error of the code `left`. */
  readonly signal?: AbortSignal;
}
