import type { OpenLoopPolicy } from "../history/prepare.ts";
import type { RetryBudget, SendOptions } from "../transport/send.ts";
import type { ReadOptions } from "../transport/reader.ts";
import type { Observe } from "../types/observation.ts";
import type { Note } from "../types/plan.ts";
import type { ConnectionOptions } from "./connection.ts";

/** What becomes of a refusal. */
export const healings = ["repair", "insist", "fail"] as const;

/** How a request is sent: connection, limits, retries, repairs. */
export interface ChatOptions extends SendOptions, ReadOptions, ConnectionOptions {
  /**
   * `repair` (default): a known refusal is repaired and sent once more. `insist`: every rule is
   * applied before sending, and up to four refusals are repaired. `fail`: a refusal is thrown.
   */
  readonly heal?: (typeof healings)[number] | undefined;
  /** Default: one budget for each address and key, shared by all calls of the process. */
  readonly retryBudget?: RetryBudget | undefined;
  readonly openLoop?: OpenLoopPolicy | undefined;
  /** Tokens of the conversation so far, where known. A long conversation limits budgets. */
  readonly contextTokens?: number | undefined;
  /** Notes of the caller for the receipt. */
  readonly notes?: readonly Note[] | undefined;
  /** Milliseconds since the epoch, for stamps on thinking blocks. */
  readonly clock?: (() => number) | undefined;
  /** Ids for tool calls that came without one. */
  readonly newId?: (() => string) | undefined;
  /**
   * `fetch` leads to an emulator, so it may be sent the seals an emulator made. Default: what
   * `fetch.simulated` says; an agent goes by the last answer it got. Set it where a wrapper hides the
   * emulator.
   */
  readonly simulated?: boolean | undefined;
  /**
   * Told of everything that happens: composed, sent, first byte, repair, retry, end, and in agents
   * steps, tools and fallbacks. It can neither break a turn nor hold it up.
   */
  readonly observe?: Observe | undefined;
}
