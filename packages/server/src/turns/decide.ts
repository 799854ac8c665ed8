import { hash } from "node:crypto";
import { MullError } from "mull";
import type { Turn } from "@mull/store";
import type { CallDecision } from "@mull/ui-messages";
import type { ServerContext } from "../context.ts";
import { readBranch } from "../conversations/read-branch.ts";
import { ownSystem } from "../conversations/own-system.ts";
import { waitingCalls } from "../conversations/waiting-calls.ts";
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

/**
 * Continues from waiting calls once each of them is decided. The decisions are stored with the
 * turn.
 */
export async function decide(context: ServerContext, given: GivenDecisions): Promise<Turn> {
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
  const decided = new Map(decisions.map((each) => [each.callId, each]));
  if (
    decided.size !== decisions.length ||
    open.some((id) => !decided.has(id)) ||
    decided.size !== open.length
  )
    throw undecided(open);
  const maker = await context.makerFor(userId);
  const { model, level, isSimulated } = maker.choose(given, conversation.info);
  const system = ownSystem(waiting.turn.info);
  return context.turns.begin({
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
      decisions: JSON.stringify(decisions),
    },
  });
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
  new MullError("Decide every call that waits, each once, in one request.", {
    category: "invalid_argument",
    status: 400,
    code: "undecided",
    field: "decisions",
    allowed: ids,
  });
