import type { JsonObject } from "mull";
import type { Conversation, MessageLink, StoredMessage, Turn } from "@mull/store";
import { mapInSlices, type Link } from "@mull/store/parts";
import { toUIMessages, type UIMessage, type UIPart } from "@mull/ui-messages";
import { chainOf, messageIdOf } from "../turns/turn-chain.ts";
import { describeTurn, describeTurns } from "../turns/turn-chunks.ts";
import { ownSystem } from "./own-system.ts";
import { findProblems, type StoredProblem } from "./problems.ts";
import { decidedSoFar, waitingCalls } from "./waiting-calls.ts";

/** A conversation as the list shows it. */
export const describeConversation = (conversation: Conversation): JsonObject => {
  const { id, title, head, createdAt, updatedAt, info } = conversation;
  const { model, level } = info;
  return {
    id,
    title,
    head,
    createdAt,
    updatedAt,
    ...(model !== undefined && { model }),
    ...(level !== undefined && { level }),
    ...(ownSystem(info) !== undefined && { system: info["system"]! }),
  };
};

/** Other versions of a message: edits of a question, or repeated answers. */
interface Branching {
  /** The id of the UI message. */
  readonly messageId: string;
  /** Where to move the conversation's head to see each, oldest first. */
  readonly heads: readonly string[];
  readonly position: number;
}

export interface View {
  readonly messages: readonly UIMessage[];
  readonly branchings: readonly Branching[];
}

/**
 * What the page shows of a branch, or of part of one. Leaves out a running turn: its stream tells
 * it from the start.
 */
export async function viewBranch(
  all: readonly MessageLink[],
  branch: readonly StoredMessage[],
  turns: readonly Turn[],
  isNewest: boolean,
  info: JsonObject,
): Promise<View> {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const shown = branch.filter(({ message, turnId, id }) => {
    const turn = turnId === undefined ? undefined : byId.get(turnId);
    return message.role !== "system" && (turn?.state !== "running" || turn.messageId === id);
  });
  const exchanges = exchangesIn(shown);
  const resumed = resumedTurns(all, turns);
  const uiIds = uiIdsOf(exchanges);
  const problems = problemsByUiId(branch, uiIds);
  const open = isNewest ? waitingCalls(branch, turns) : undefined;
  const waiting = open?.calls.map(({ id }) => id) ?? [];
  const said = open === undefined ? [] : decidedSoFar(open, info);
  // All are decided, but the turn could not begin: they are asked about again.
  const decided = said.length < waiting.length ? said : [];
  const messages = await mapInSlices(exchanges, (exchange) => {
    const chain = chainIn(exchange, byId, resumed);
    const joined = joinResults(exchange);
    return toUIMessages(
      joined.map((each) => each.message),
      { id: (index) => uiIds.get(joined[index]!.id)!, waiting, decided },
    ).map((message) => withUnreadable(withTurns(message, chain), problems.get(message.id) ?? []));
  });
  const whole = withSilentTurns(messages.flat(), turns);
  const end = isNewest ? whole.at(-1) : undefined;
  return { messages: whole, branchings: branchingsOf(all, shown, end, uiIds) };
}

interface ResumedTurns {
  readonly turns: readonly Turn[];
  /** Turns that ended without saying anything. */
  readonly silent: ReadonlySet<string>;
}

/** Turns that continued from waiting calls. */
function resumedTurns(all: readonly MessageLink[], turns: readonly Turn[]): ResumedTurns {
  const resumed = turns.filter((turn) => messageIdOf(turn) !== turn.id);
  if (resumed.length === 0) return { turns: [], silent: new Set() };
  const said = new Set(all.map(({ turnId }) => turnId));
  const silent = resumed.filter(({ id, state }) => state !== "running" && !said.has(id));
  return { turns: resumed, silent: new Set(silent.map(({ id }) => id)) };
}

/** The turns of one exchange, in order. */
function chainIn(
  exchange: readonly StoredMessage[],
  byId: ReadonlyMap<string, Turn>,
  { turns, silent }: ResumedTurns,
): readonly Turn[] {
  const answer = exchange.filter(({ message }) => message.role !== "user");
  const first = byId.get(answer[0]?.turnId ?? "");
  if (first === undefined) return [];
  if (turns.length === 0) return [first];
  const said = new Set(answer.map(({ turnId }) => turnId));
  return chainOf(first, turns, exchange).filter(({ id }) => said.has(id) || silent.has(id));
}

/** Results that arrived at different times still form one message after their calls. */
function joinResults(exchange: readonly StoredMessage[]): readonly StoredMessage[] {
  const joined: StoredMessage[] = [];
  for (const each of exchange) {
    const before = joined.at(-1);
    if (before?.message.role !== "tool" || each.message.role !== "tool") {
      joined.push(each);
      continue;
    }
    const calls = (joined.at(-2)?.message.parts ?? []).map((part) =>
      part.type === "tool-call" ? part.id : "",
    );
    const parts = [...before.message.parts, ...each.message.parts].toSorted(
      (a, b) => calls.indexOf(a.callId) - calls.indexOf(b.callId),
    );
    joined[joined.length - 1] = { ...before, message: { ...before.message, parts } };
  }
  return joined;
}

/** Each question with its answer: no UI message spans two exchanges. */
function exchangesIn(shown: readonly StoredMessage[]): readonly (readonly StoredMessage[])[] {
  const exchanges: StoredMessage[][] = [];
  for (const each of shown) {
    if (each.message.role === "user" || exchanges.length === 0) exchanges.push([]);
    exchanges.at(-1)!.push(each);
  }
  return exchanges;
}

/** A turn that said nothing has no message, but people must see why it ended. */
function withSilentTurns(
  messages: readonly UIMessage[],
  turns: readonly Turn[],
): readonly UIMessage[] {
  return messages.flatMap((message, index): readonly UIMessage[] => {
    if (message.role !== "user" || messages[index + 1]?.role === "assistant") return [message];
    const turn = turns.findLast(({ messageId }) => messageId === message.id);
    if (turn === undefined || turn.state === "running") return [message];
    return [message, { id: turn.id, role: "assistant", metadata: describeTurn(turn), parts: [] }];
  });
}

function problemsByUiId(
  branch: readonly StoredMessage[],
  uiIds: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly StoredProblem[]> {
  const problems = new Map<string, StoredProblem[]>();
  for (const problem of findProblems(branch)) {
    const id = uiIds.get(problem.messageId ?? "") ?? "";
    problems.set(id, [...(problems.get(id) ?? []), problem]);
  }
  return problems;
}

/** Unreadable parts of a message are listed at its end. */
function withUnreadable(message: UIMessage, problems: readonly StoredProblem[]): UIMessage {
  if (problems.length === 0) return message;
  return { ...message, parts: [...message.parts, { type: "data-unreadable", data: { problems } }] };
}

/** The answer to a question is one UI message, named after its first turn. */
function uiIdsOf(exchanges: readonly (readonly StoredMessage[])[]): ReadonlyMap<string, string> {
  return new Map(
    exchanges.flatMap((exchange) => {
      const first = exchange.find(({ message }) => message.role !== "user");
      const answer = first?.turnId ?? first?.id ?? "";
      return exchange.map(
        ({ id, message }) => [id, message.role === "user" ? id : answer] as const,
      );
    }),
  );
}

function withTurns(message: UIMessage, turns: readonly Turn[]): UIMessage {
  if (message.role !== "assistant" || turns.length === 0) return message;
  return { ...message, metadata: describeTurns(turns), parts: withReceipts(message.parts, turns) };
}

/** Each step ends with its receipt, as in the stream. */
function withReceipts(parts: readonly UIPart[], turns: readonly Turn[]): readonly UIPart[] {
  const steps = turns.flatMap(({ receipt }) => {
    const kept = receipt?.["steps"];
    return Array.isArray(kept) ? (kept as readonly JsonObject[]) : [];
  });
  const out: UIPart[] = [];
  let step = -1;
  const close = (): void => {
    const data = steps[step];
    if (data !== undefined) out.push({ type: "data-receipt", id: `receipt-${step}`, data });
  };
  for (const part of parts) {
    if (part.type === "step-start") {
      close();
      step++;
    }
    out.push(part);
  }
  close();
  // A step that was stopped at once has no part, but was paid for.
  while (++step < steps.length) {
    out.push({ type: "step-start" });
    close();
  }
  return out;
}

function branchingsOf(
  all: readonly Link[],
  shown: readonly StoredMessage[],
  end: UIMessage | undefined,
  uiIds: ReadonlyMap<string, string>,
): readonly Branching[] {
  const children = new Map<string | null, Link[]>();
  for (const each of all) {
    children.set(each.parentId, [...(children.get(each.parentId) ?? []), each]);
  }
  const lastUnder = (message: Link): string => {
    const seen = new Set([message.id]);
    for (let id = message.id; ;) {
      const next = children.get(id)?.at(-1)?.id;
      // Somebody may have edited messages into a cycle, which would never end.
      if (next === undefined || seen.has(next)) return id;
      seen.add(next);
      id = next;
    }
  };
  const stored = shown.flatMap((message) => {
    const siblings = children.get(message.parentId) ?? [];
    if (siblings.length < 2) return [];
    return [
      {
        messageId: uiIds.get(message.id)!,
        heads: siblings.map(lastUnder),
        position: siblings.findIndex((each) => each.id === message.id),
      },
    ];
  });
  const last = shown.at(-1);
  const others = last?.message.role === "user" ? (children.get(last.id) ?? []) : [];
  if (last === undefined || end?.role !== "assistant" || others.length === 0) return stored;
  // A turn that said nothing has no message, yet it hides the question's earlier answers.
  const heads = [...others.map(lastUnder), last.id];
  return [...stored, { messageId: end.id, heads, position: others.length }];
}
