import { hash } from "node:crypto";
import { MullError } from "mull";
import type { Turn } from "@mull/store";
import type { CallDecision } from "@mull/ui-messages";
import type { ServerContext } from "../context.ts";
import { readBranch } from "../conversations/read-branch.ts";
import { ownSystem } from "../conversations/own-system.ts";
import {
  decidedSoFar,
  keptDecisions,
  waitingCalls,
  type WaitingCalls,
} from "../conversations/waiting-calls.ts";
import { keyReused } from "./ask.ts";
import { messageIdOf } from "./turn-chain.ts";

/** What a person decided about the waiting calls of a conversation. */
export interface GivenDecisions {
  readonly userId: string;
  readonly conversationId: string;
  readonly decisions: readonly CallDecision[];
  readonly idempotencyKey?: string;
  readonly model?: string;
  readonly level?: string;
}

/** The turn that continues, or the calls that still wait and the turn that made them. */
export type Decided = Turn | WaitingCalls;

/**
 * Continues from waiting calls once each of them is decided; until then, decisions are kept with the
 * conversation. A later decision about a call replaces the earlier one. All of them are stored with
 * the turn.
 */
export async function decide(context: ServerContext, given: GivenDecisions): Promise<Decided> {
  const { userId, conversationId, decisions, idempotencyKey } = given;
  const store = await context.store();
  const conversation = await store.getConversation(userId, conversationId);
  const [{ branch }, turns] = await Promise.all([
    readBranch(store, userId, conversation),
    store.listTurns(userId, conversationId, { isBrief: true }),
  ]);
  const key =
    idempotencyKey === undefined
      ? `once:${context.newId()}`
      : `key:${conversationId}:${idempotencyKey}`;
  const fingerprint = hash("sha256", JSON.stringify([decisions, given.model, given.level]));
  const earlier = turns.find((turn) => turn.info["key"] === key);
  if (earlier !== undefined) {
    if (earlier.info["hash"] !== fingerprint) throw keyReused();
    return earlier;
  }
  // The receipt of the turn that made the calls says whether they wait; no other receipt is read.
  const asking = branch.findLast(({ message }) => message.role === "assistant")?.turnId;
  const ids = asking === undefined ? [] : [asking];
  const whole = await store.listTurns(userId, conversationId, { ids });
  const others = turns.filter(({ id }) => id !== asking);
  const waiting = waitingCalls(branch, [...whole, ...others]);
  if (waiting === undefined) throw nothingWaits();
  const open = waiting.calls.map(({ id }) => id);
  const named = new Set(decisions.map(({ callId }) => callId));
  const isEachOnce = named.size > 0 && named.size === decisions.length;
  if (!isEachOnce || [...named].some((id) => !open.includes(id))) throw undecided(open);
  const mine = keptDecisions(waiting, decisions);
  let info = { ...conversation.info, ...mine };
  // The last one is not kept: it counts only if the turn begins.
  if (decidedSoFar(waiting, info).length < open.length)
    ({ info } = await store.updateConversation(userId, conversationId, { info: mine }));
  const all = decidedSoFar(waiting, info);
  const left = waiting.calls.filter(({ id }) => !all.some(({ callId }) => callId === id));
  if (left.length > 0) return { ...waiting, calls: left };
  const maker = await context.makerFor(userId);
  const { model, level, isSimulated } = maker.choose(given, conversation.info);
  const system = ownSystem(waiting.turn.info);
  const begun = await context.turns.begin({
    maker,
    userId,
    conversationId,
    idempotencyKey: key,
    fingerprint,
    expectedHead: branch.at(-1)!.id,
    info: {
      model,
      level,
      isSimulated,
      key,
      hash: fingerprint,
      continues: messageIdOf(waiting.turn),
      // What was decided at its start holds to its end.
      ...(system !== undefined && { system }),
      decisions: JSON.stringify(all),
    },
  });
  const kept = Object.keys(keptDecisions(waiting, all));
  if (all.length > decisions.length) {
    await store.updateConversation(userId, conversationId, {
      info: Object.fromEntries(kept.map((field) => [field, null])),
    });
  }
  return begun;
}

const nothingWaits = (): MullError =>
  new MullError(
    "No call waits for a decision here. Load the conversation to see what became of it.",
    {
      category: "invalid_argument",
      status: 409,
      code: "nothing_waits",
    },
  );

const undecided = (ids: readonly string[]): MullError =>
  new MullError("Decide calls that wait, each once.", {
    category: "invalid_argument",
    status: 400,
    code: "undecided",
    field: "decisions",
    allowed: ids,
  });
