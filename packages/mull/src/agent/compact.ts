import { chat, resolveChoice, type ModelChoice, hooks } from "../chat/ask.ts";
import { checkEach } from "../chat/checks.ts";
import { type ChatOptions, checkOptions, sendingNames } from "../chat/request-options.ts";
import { estimateTokens, estimateRequest } from "../history/estimate.ts";
import type { History } from "../history/history.ts";
import { invalidArgument, requireObject, isMullError } from "../types/error.ts";
import { pick } from "../types/json.ts";
import type { AssistantMessage, Message, Part, UserPart } from "../types/message.ts";
import { type Receipt, warning, type Note } from "../types/plan.ts";
import {
  aHistory,
  compactChecks,
  type AgentOptions,
  type CompactOptions,
  toolsOf,
} from "./options.ts";
import { keepKeyHome } from "./request.ts";
import { textOf } from "./result.ts";
import type { AgentState, AgentHooks, Asking, AskWith, TurnHandle } from "./turn.ts";
import type { ChatResult } from "../chat/chat.ts";
import type { ChatTarget } from "../chat/compose.ts";
import { cacheWatch } from "./cache-report.ts";

/** A shortened conversation, and what was done to it. */
export interface Compacted {
  readonly history: History;
  /** What the summary replaces; nothing if the conversation was short already. */
  readonly dropped: { readonly messages: number; readonly tokens: number };
  readonly summary: string;
  /** Of the requests for the summary. */
  readonly receipts: readonly Receipt[];
}

/**
 * Shortens a conversation: a summary replaces all but the last turns, which stay as they are,
 * with open tool loops and seals. The words of the system and the user's files go along. The whole
 * conversation stays in the history, as another branch.
 */
export async function compact(
  history: History,
  options: CompactOptions & ChatOptions,
): Promise<Compacted> {
  aHistory(history, "history");
  requireObject("options", options, "{ model } or { summarize }");
  const { keepTurns = 2, summarize, model, ...sending } = options;
  checkEach("options", { keepTurns, summarize, model }, compactChecks);
  checkOptions(sending);
  if (summarize === undefined && model === undefined)
    throw invalidArgument(
      "model",
      model,
      "a model that writes the summary, or a function summarize",
    );
  const { messages } = history;
  const from = startOfTurns(messages, keepTurns);
  const gone = messages.slice(0, from).filter(({ role }) => role !== "system");
  if (gone.length === 0)
    return { history, dropped: { messages: 0, tokens: 0 }, summary: "", receipts: [] };
  const receipts: Receipt[] = [];
  const summary = await (summarize?.(gone) ?? askFor(gone, model!, sending, receipts));
  const kept = messages.slice(from);
  const system = messages.slice(0, from).filter(({ role }) => role === "system");
  const question: Message = {
    role: "user",
    parts: [{ type: "text", text: `${opening}\n\n${summary}` }, ...filesOf(messages, from)],
  };
  return {
    history: history.fork(0).append(...system, question, ...kept),
    dropped: { messages: gone.length, tokens: estimateTokens(gone) },
    summary,
    receipts,
  };
}

const opening = "What was said before, in short:";

/** Where the last turns begin, each with words of the user. */
function startOfTurns(messages: readonly Message[], count: number): number {
  const starts = messages.flatMap(({ role }, at) =>
    role === "user" && messages[at - 1]?.role !== "user" ? [at] : [],
  );
  return starts.at(-count) ?? 0;
}

/** The user's files. One that lies with a service goes along to the same service only; else its name does. */
function filesOf(messages: readonly Message[], from: number): readonly UserPart[] {
  const providerAfter = (at: number): string | undefined =>
    messages.slice(at).find((message): message is AssistantMessage => message.role === "assistant")
      ?.origin?.provider;
  const home = providerAfter(from);
  return messages.slice(0, from).flatMap((message, at): readonly UserPart[] => {
    if (message.role !== "user") return [];
    return message.parts.flatMap((part): readonly UserPart[] => {
      if (part.type !== "file" || part.send === false) return [];
      const isHere = part.source.type !== "id" || home === undefined || providerAfter(at) === home;
      return isHere ? [part] : [{ type: "text", text: `[${part.name ?? part.mediaType}]` }];
    });
  });
}

const task = `Summarise the conversation above for the assistant who continues it and sees nothing but your summary.
Keep what was asked and why, what was found and decided, names, numbers, paths and code that matter, and what is still to do. Write plainly, without a preamble.`;

/** A summary of what does not fit at once is made piece by piece. */
async function askFor(
  messages: readonly Message[],
  model: ModelChoice,
  options: ChatOptions,
  receipts: Receipt[],
): Promise<string> {
  const target = resolveChoice(model);
  const room = (target.model.window ?? smallestWindow) * 2;
  const transcript = messages.map(sayMessage).join("\n\n");
  let summary = "";
  for (let at = 0; at < transcript.length; at += room) {
    const before = summary === "" ? "" : `${opening}\n${summary}\n\n`;
    const piece = transcript.slice(at, at + room);
    const text = `${before}<conversation>\n${piece}\n</conversation>\n\n${task}`;
    const request = { messages: [{ role: "user", parts: [{ type: "text", text }] }] } as const;
    const result = await chat(target, { level: "none", ...request }, options);
    receipts.push(result.receipt);
    summary = result.text.trim();
  }
  return summary;
}

/** For models whose window is unknown. Half of a window's characters are a safe piece of it. */
const smallestWindow = 32_000;

const sayMessage = (message: Message): string =>
  `${message.role}: ${message.parts
    .flatMap((part) => (part.send === false ? [] : [sayPart(part)]))
    .filter((text) => text !== "")
    .join("\n")}`;

function sayPart(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "tool-call":
      return `[calls ${part.name} with ${JSON.stringify(part.input)}]`;
    case "tool-result": {
      const { output, name } = part;
      const text =
        typeof output === "string"
          ? output
          : textOf({ role: "user", parts: output.filter(({ type }) => type === "text") });
      return `[${name} gave: ${text}]`;
    }
    case "file":
      return `[a file: ${part.name ?? part.mediaType}]`;
    case "thinking":
    case "opaque":
      return "";
    default:
      return part satisfies never;
  }
}

/** Results at the end of a loop that stay whole, when earlier ones are left out. */
const keptResults = 2;

/** A running loop whose early results are left out: its calls stay, with a word in place of what they gave. */
function clearResults(history: History): Compacted {
  const { messages } = history;
  const from = startOfTurns(messages, 1);
  const results = messages.flatMap(({ role }, at) => (role === "tool" && at >= from ? [at] : []));
  const cleared = new Set(results.slice(0, -keptResults));
  const gone: Message[] = [];
  const shorter = history.map((message, at) => {
    if (message.role !== "tool" || !cleared.has(at)) return message;
    gone.push(message);
    const parts = message.parts.map((part) => ({
      ...part,
      output: "[left out: the conversation grew too long]",
    }));
    return { ...message, parts };
  });
  const dropped = { messages: gone.length, tokens: estimateTokens(gone) };
  return { history: gone.length === 0 ? history : shorter, dropped, summary: "", receipts: [] };
}

/** What an agent does when its conversation does not fit: a summary of earlier turns, then early results. */
async function compactAgent(
  { history, target, home }: CompactState,
  options: AgentOptions,
): Promise<Compacted> {
  const asked = typeof options.compact === "object" ? options.compact : {};
  const model = resolveChoice(asked.model ?? target);
  const sending = pick(keepKeyHome(options, home, model.provider), sendingNames);
  const { keepTurns = 2, summarize } = asked;
  for (const keep of new Set([keepTurns, 1])) {
    const how = { ...asked, model, summarize, keepTurns: keep };
    const compacted = await compact(history, { ...sending, ...how });
    if (compacted.dropped.messages > 0) return compacted;
  }
  return clearResults(history);
}

type CompactState = Pick<AgentState, "history" | "target" | "home">;

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
): Asking<ChatResult> {
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

/** The note for the receipt; none if nothing could go. */
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
