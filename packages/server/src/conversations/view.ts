import type { JsonObject } from "mull";
import type { Conversation, StoredMessage, Turn } from "@mull/store";
import { mapInSlices } from "@mull/store/parts";
import { toUIMessages, type UIMessage, type UIPart } from "@mull/ui-messages";
import { describeTurn } from "../turns/turn-chunks.ts";
import { findProblems, type StoredProblem } from "./problems.ts";

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
  };
};

/** Other ways a message went on: edits of a question, or answers given again. */
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

/** What the page shows of a branch. A running turn is left out: its stream tells it from the start. */
export async function viewBranch(
  all: readonly StoredMessage[],
  branch: readonly StoredMessage[],
  turns: readonly Turn[],
): Promise<View> {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const shown = branch.filter(({ message, turnId, id }) => {
    const turn = turnId === undefined ? undefined : byId.get(turnId);
    return message.role !== "system" && (turn?.state !== "running" || turn.messageId === id);
  });
  const problems = problemsByUiId(branch);
  const messages = await mapInSlices(exchangesIn(shown), (exchange) =>
    toUIMessages(
      exchange.map((each) => each.message),
      { id: (index) => uiId(exchange[index]!) },
    ).map((message) => withUnreadable(withTurn(message, byId), problems.get(message.id) ?? [])),
  );
  const whole = withSilentTurns(messages.flat(), turns);
  return { messages: whole, branchings: branchingsOf(all, shown, whole.at(-1)) };
}

/** Each question with what was answered: no UI message reaches from one into another. */
function exchangesIn(shown: readonly StoredMessage[]): readonly (readonly StoredMessage[])[] {
  const exchanges: StoredMessage[][] = [];
  for (const each of shown) {
    if (each.message.role === "user" || exchanges.length === 0) exchanges.push([]);
    exchanges.at(-1)!.push(each);
  }
  return exchanges;
}

/** A turn that ended before it said anything has no message; people must see why all the same. */
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
): ReadonlyMap<string, readonly StoredProblem[]> {
  const shownAs = new Map(branch.map((each) => [each.id, uiId(each)]));
  const problems = new Map<string, StoredProblem[]>();
  for (const problem of findProblems(branch)) {
    const id = shownAs.get(problem.messageId ?? "") ?? "";
    problems.set(id, [...(problems.get(id) ?? []), problem]);
  }
  return problems;
}

/** What of a message cannot be read is told at its end. */
function withUnreadable(message: UIMessage, problems: readonly StoredProblem[]): UIMessage {
  if (problems.length === 0) return message;
  return { ...message, parts: [...message.parts, { type: "data-unreadable", data: { problems } }] };
}

/** A turn is one UI message, named after the turn. */
const uiId = ({ message, turnId, id }: StoredMessage): string =>
  message.role === "user" ? id : (turnId ?? id);

function withTurn(message: UIMessage, turns: ReadonlyMap<string, Turn>): UIMessage {
  const turn = message.role === "assistant" ? turns.get(message.id) : undefined;
  if (turn === undefined) return message;
  return { ...message, metadata: describeTurn(turn), parts: withReceipts(message.parts, turn) };
}

/** Each step ends with its receipt, as in the stream. */
function withReceipts(parts: readonly UIPart[], turn: Turn): readonly UIPart[] {
  const kept = turn.receipt?.["steps"];
  const steps = Array.isArray(kept) ? (kept as readonly JsonObject[]) : [];
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
  // A step that was stopped before it said anything has no part, but was paid for.
  while (++step < steps.length) {
    out.push({ type: "step-start" });
    close();
  }
  return out;
}

function branchingsOf(
  all: readonly StoredMessage[],
  shown: readonly StoredMessage[],
  end: UIMessage | undefined,
): readonly Branching[] {
  const children = new Map<string | null, StoredMessage[]>();
  for (const each of all) {
    children.set(each.parentId, [...(children.get(each.parentId) ?? []), each]);
  }
  const lastUnder = (message: StoredMessage): string => {
    const seen = new Set([message.id]);
    for (let id = message.id; ;) {
      const next = children.get(id)?.at(-1)?.id;
      // Messages that somebody made each other's parents would have no end.
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
        messageId: uiId(message),
        heads: siblings.map(lastUnder),
        position: siblings.findIndex((each) => each.id === message.id),
      },
    ];
  });
  const last = shown.at(-1);
  const others = last?.message.role === "user" ? (children.get(last.id) ?? []) : [];
  if (last === undefined || end?.role !== "assistant" || others.length === 0) return stored;
  // A turn that said nothing has no message, yet hides the answers that the question had before.
  const heads = [...others.map(lastUnder), last.id];
  return [...stored, { messageId: end.id, heads, position: others.length }];
}
