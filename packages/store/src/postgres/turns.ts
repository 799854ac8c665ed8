import { encodeJson } from "../encode-json.ts";
import { mapInSlices } from "../loop-share.ts";
import type { BlockPlace, TurnMethods, Turn } from "../store.ts";
import type { DraftKind } from "../turn/draft.ts";
import { beginTurn } from "./begin-turn.ts";
import { inSteps } from "./driver.ts";
import {
  endIfAbandoned,
  endTurn,
  lockOwnTurn,
  readDraft,
  readRunning,
  readTurn,
  refuseLost,
} from "./end-turn.ts";
import { postgresLiveTurns } from "./live-turns.ts";
import { findGone, sayAlive } from "./processes.ts";
import { readPages, type PagedRows } from "./read-pages.ts";
import {
  at,
  ownedBy,
  readConversation,
  toTurn,
  turnColumns,
  type PostgresContext,
} from "./rows.ts";
import { settleTurn } from "./settle-turn.ts";

const turnPages: PagedRows = {
  table: "turns",
  columns: turnColumns,
  where: `conversation_id = $1 and ${ownedBy("$2")}`,
  order: "started_at, id",
};

export function postgresTurns(context: PostgresContext): TurnMethods {
  const { driver, owner } = context;

  return {
    beginTurn: (given) => beginTurn(context, given),

    getTurn: (userId, turnId) => readTurn(driver, userId, turnId),

    async findRunningTurn(userId, conversationId) {
      const running = await readRunning(driver, userId, conversationId);
      // Only where there is none, it may be for want of a conversation.
      if (running === undefined) await readConversation(driver, userId, conversationId);
      return running;
    },

    async listTurns(userId, conversationId) {
      const rows = await readPages(driver, turnPages, [conversationId, userId]);
      if (rows.length === 0) await readConversation(driver, userId, conversationId);
      return mapInSlices(rows, toTurn);
    },

    async getDraft(userId, turnId) {
      await readTurn(driver, userId, turnId);
      return readDraft(driver, userId, turnId);
    },

    appendPart: (userId, turnId, part, texts) => keep(context, userId, turnId, "part", part, texts),

    storeToolIntent: (userId, turnId, call) => keep(context, userId, turnId, "intent", call.id),

    storeToolResult: (userId, turnId, result) => keep(context, userId, turnId, "result", result),

    async finishMessage(userId, turnId, message) {
      const settled = await settleTurn(driver, context, { userId, turnId, owner, message });
      return settled?.stored ?? refuseLost(context, userId, turnId);
    },

    async finishTurn(userId, turnId, { messages, ...end }) {
      if (messages === undefined || messages.length > 1) {
        return driver.transaction(async (sql) => {
          const turn = await lockOwnTurn(sql, context, userId, turnId);
          return endTurn(sql, context, userId, turn, { ...end, ...(messages && { messages }) });
        });
      }
      const [message] = messages;
      const settling = { userId, turnId, owner, end, ...(message !== undefined && { message }) };
      const settled = await settleTurn(driver, context, settling);
      return settled?.turn ?? refuseLost(context, userId, turnId);
    },

    renewLeases: () => sayAlive(context),

    recoverTurns: () => recoverTurns(context),

    ...postgresLiveTurns(context),

    async sumSpending(userId, since) {
      const { rows } = await driver.query(
        `select count(*)::int as turns, coalesce(sum(tokens), 0)::float8 as tokens,
          coalesce(sum(cost), 0)::float8 as cost
        from (
          select tokens, cost from turns
          where user_id = $1 and copy_of is null and started_at >= ${at("$2")}
          union all
          select tokens, cost from deleted_turns
          where user_id = $1 and started_at >= ${at("$2")}
        ) as begun`,
        [userId, since],
      );
      const { turns, tokens, cost } = rows[0] as Record<"turns" | "tokens" | "cost", number>;
      return { turns, tokens, cost };
    },
  };
}

/** Locks the turn against being recovered while the part is written, or an acknowledged part is lost. */
async function keep(
  context: PostgresContext,
  userId: string,
  turnId: string,
  kind: DraftKind,
  value: unknown,
  texts?: BlockPlace,
): Promise<void> {
  const insert = `insert into turn_parts (turn_id, user_id, kind, content)
    select id, user_id, $4, $5::json from turns
    where id = $1 and ${ownedBy("$2")} and owner = $3 and state = 'running' for share`;
  const values = [turnId, userId, context.owner, kind, encodeJson("part", value)];
  const steps = {
    kept: `${insert} returning turn_id`,
    said: `delete from turn_texts using kept
      where turn_texts.turn_id = kept.turn_id and step = $6 and block <= $7`,
  };
  const written =
    texts === undefined
      ? (await context.driver.query(insert, values)).affected
      : (
          await context.driver.query(inSteps(steps, "select 1 as kept from kept"), [
            ...values,
            texts.step,
            texts.block,
          ])
        ).rows.length;
  if (written !== 1) await refuseLost(context, userId, turnId);
}

async function recoverTurns(context: PostgresContext): Promise<readonly Turn[]> {
  const { driver } = context;
  const recovered: Turn[] = [];
  const failures: unknown[] = [];
  for (const { id, userId } of await findGone(driver, context)) {
    try {
      const turn = await driver.transaction((sql) => endIfAbandoned(sql, context, userId, id));
      if (turn !== undefined) recovered.push(turn);
    } catch (error) {
      failures.push(error);
    }
  }
  // One that cannot be ended must not keep the others from it.
  if (failures.length > 0) throw failures[0];
  return recovered;
}
