import type { Message } from "../types/message.ts";
import type { HistoryChange } from "../types/plan.ts";
import type { CallIds } from "./call-ids.ts";
import { addToPrefix, type Prefix } from "./fingerprint.ts";
import type { PrepareTarget } from "./prepare.ts";

/**
 * One run over a history: who it is for, what was found on the way, what comes out. A record that
 * plain functions work on: code compiled for closures made anew for every request, or for objects
 * spread together, is thrown away at the next request.
 */
export interface Compilation {
  readonly messages: readonly Message[];
  readonly target: PrepareTarget;
  /** Position of the last user message: what follows is the running turn. */
  readonly turnStart: number;
  readonly callIds: CallIds;
  /** What is sent so far, where the target binds its seals to it. */
  readonly prefix: Prefix | undefined;
  /** A bound seal no longer fits what stands before it; later ones were made on top of it. */
  isPrefixBroken: boolean;
  /** What the system says in mid conversation, and a change of effort; both wait for the next answer. */
  waiting: readonly Message[];
  readonly out: Message[];
  readonly changes: HistoryChange[];
  readonly withheld: HistoryChange[];
}

export function emit(message: Message | undefined, { out, prefix }: Compilation): void {
  if (message === undefined) return;
  if (prefix !== undefined) addToPrefix(prefix, message);
  out.push(message);
}

/** Where the next answer stands from `from` on; behind everything when there is none. */
export function nextAssistant(messages: readonly Message[], from: number): number {
  let next = from;
  while (next < messages.length && messages[next]!.role !== "assistant") next++;
  return next;
}
