import { encodeJson } from "../encode-json.ts";
import { turnOver } from "../refusals.ts";
import { storeError } from "../store-error.ts";
import type { TurnMethods, Turn } from "../store.ts";
import type { DraftKind } from "../turn/draft.ts";
import { beginTurn } from "./begin-turn.ts";
import {
  clearDraft,
  endIfAbandoned,
  endTurn,
  lastOf,
  lockOwnTurn,
  readDraft,
  readRunning,
  readTurn,
} from "./end-turn.ts";
import { isHolderGone } from "./hold-names.ts";
import { addMessages, at, readConversation, toTurn, turnColumns } from "./rows.ts";
import type { PostgresContext } from "./rows.ts";

export function postgresTurns(context: PostgresContext): TurnMethods {
  const { driver, owner, now, leaseMs } = context;

  return {
    beginTurn: (given) => beginTurn(context, given),

    getTurn: (userId, turnId) => readTurn(driver, userId, turnId),

    async findRunningTurn(userId, conversationId) {
      await readConversation(driver, userId, conversationId);
      return readRunning(driver, userId, conversationId);
    },

    async listTurns(userId, conversationId) {
      await readConversation(driver, userId, conversationId);
      const { rows } = await driver.query(
        `select ${turnColumns} from turns where conversation_id = $1 and user_id = $2
        order by turns.started_at, id`,
        [conversationId, userId],
      );
      return rows.map(toTurn);
    },

    async getDraft(userId, turnId) {
      await readTurn(driver, userId, turnId);
      return readDraft(driver, userId, turnId);
    },

    appendPart: (userId, turnId, part) => keep(context, userId, turnId, "part", part),

    storeToolIntent: (userId, turnId, call) => keep(context, userId, turnId, "intent", call.id),

    storeToolResult: (userId, turnId, result) => keep(context, userId, turnId, "result", result),

    finishMessage: (userId, turnId, message) =>
      driver.transaction(async (sql) => {
        const turn = await lockOwnTurn(sql, context, userId, turnId);
        const { id: parentId } = await lastOf(sql, userId, turn);
        const { conversationId } = turn;
        const fresh = { userId, conversationId, parentId, messages: [message], turnId };
        const [stored] = await addMessages(sql, context, fresh);
        await clearDraft(sql, userId, turnId);
        return stored!;
      }),

    finishTurn: (userId, turnId, end) =>
      driver.transaction(async (sql) => {
        const turn = await lockOwnTurn(sql, context, userId, turnId);
        return endTurn(sql, context, userId, turn, end);
      }),

    async renewLeases() {
      const renewed = await driver.query(
        `update turns set lease_until = ${at("$2")} where owner = $1 and state = 'running'`,
        [owner, now() + leaseMs],
      );
      return renewed.affected;
    },

    recoverTurns: () => recoverTurns(context),

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
  { driver, owner }: PostgresContext,
  userId: string,
  turnId: string,
  kind: DraftKind,
  value: unknown,
): Promise<void> {
  const { affected } = await driver.query(
    `insert into turn_parts (turn_id, user_id, kind, content)
    select id, user_id, $4, $5::json from turns
    where id = $1 and user_id = $2 and owner = $3 and state = 'running' for share`,
    [turnId, userId, owner, kind, encodeJson("part", value)],
  );
  if (affected === 1) return;
  const turn = await readTurn(driver, userId, turnId);
  if (turn.state === "running" && turn.owner === owner) {
    throw storeError("broken", `The database wrote ${affected} rows instead of 1.`);
  }
  throw turnOver(turn);
}

async function recoverTurns(context: PostgresContext): Promise<readonly Turn[]> {
  const { driver, owner, now } = context;
  const { rows } = await driver.query(
    `select id, user_id from turns where state = 'running' and owner <> $1
      and ($2 or lease_until < ${at("$3")} or ${isHolderGone("turns.owner")})`,
    [owner, driver.isExclusive, now()],
  );
  const recovered: Turn[] = [];
  const failures: unknown[] = [];
  for (const { id, user_id: userId } of rows as unknown as { id: string; user_id: string }[]) {
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
