import { hooks } from "../chat/ask.ts";
import type { ChatResult } from "../chat/chat.ts";
import type { ChatTarget } from "../chat/compose.ts";
import { estimateRequest } from "../history/estimate.ts";
import { isMullError } from "../types/error.ts";
import { warning, type Note } from "../types/plan.ts";
import { cacheWatch } from "./cache-report.ts";
import { compactAgent } from "./compact.ts";
import { toolsOf, type AgentOptions } from "./options.ts";
import type { AgentHooks, AgentState, AskWith, TurnHandle } from "./turn.ts";
import type { AgentEvent } from "./turn-stream.ts";

/** A conversation is shortened when it takes more than this share of the window: the answer needs room, too. */
const fullShare = 0.8;

/**
 * Asks for one step. Where the agent may shorten its conversation, it does so before the window overflows,
 * or when a service refuses it for its length.
 */
async function* askFitting(
  state: AgentState,
  target: ChatTarget,
  options: AgentOptions,
  handle: TurnHandle,
  ask: AskWith,
): AsyncGenerator<AgentEvent[], ChatResult, undefined> {
  if (options.compact === undefined) return yield* ask(options);
  const notes = isFull(state, target, options) ? await shorten(state, target, options, handle) : [];
  try {
    return yield* ask(withNotes(options, notes));
  } catch (error) {
    if (!isMullError(error) || error.category !== "context_overflow") throw error;
    const more = await shorten(state, target, options, handle);
    if (more.length === 0) throw error;
    return yield* ask(withNotes(options, [...notes, ...more]));
  }
}

const withNotes = (options: AgentOptions, notes: readonly Note[]): AgentOptions =>
  notes.length === 0 ? options : { ...options, notes: [...(options.notes ?? []), ...notes] };

function isFull({ history }: AgentState, target: ChatTarget, options: AgentOptions): boolean {
  const { system } = options;
  const { window } = target.model;
  if (window === undefined) return false;
  const specs = toolsOf(options).flatMap((tool) => ("spec" in tool ? [tool.spec] : []));
  const { messages } = history;
  const tokens = estimateRequest({
    messages,
    tools: specs,
    ...(system !== undefined && { system }),
  });
  return tokens > window * fullShare;
}

/** The note for the receipt; none where nothing could go. */
async function shorten(
  state: AgentState,
  target: ChatTarget,
  options: AgentOptions,
  handle: TurnHandle,
): Promise<readonly Note[]> {
  const made = state.history.length - handle.base.length;
  const { signal } = handle.stop;
  const compacted = await compactAgent({ ...state, target }, { ...options, signal });
  if (compacted.dropped.messages === 0) return [];
  const { history, dropped, summary, receipts } = compacted;
  state.history = history;
  handle.base = history.fork(history.length - made);
  handle.receipts.push(...receipts);
  const what = summary === "" ? "early tool results were left out" : "a summary took their place";
  const message = `The conversation was shortened: ${dropped.messages} messages, about ${dropped.tokens} tokens; ${what}.`;
  return [warning("compacted", message)];
}

/** What the whole library's agents have that those of `mull/core` do not. */
export const agentHooks: AgentHooks = { ...hooks, askFitting, cacheWatch };
