import type { Message } from "mull";
import { encodeJson } from "../encode-json.ts";
import { mapInSlices } from "../loop-share.ts";
import { hasCode } from "../store-error.ts";
import type { BlockPlace, StoredMessage, TurnMethods, Turn } from "../store.ts";
import type { DraftKind } from "../turn/draft.ts";
import { beginTurn } from "./begin-turn.ts";
import { inSteps, type Sql } from "./driver.ts";
import {
  endIfAbandoned,
  endTurn,
  lockOwnTurn,
  readDraft,
  readRunning,
  refuseLost,
} from "./end-turn.ts";
import { postgresLiveTurns } from "./live-turns.ts";
import { findGone, sayAlive } from "./processes.ts";
import { readPages, type PagedRows } from "./read-pages.ts";
import {
  ownedBy,
  readConversation,
  readMessages,
  readTurn,
  toTurn,
  briefColumns,
  turnColumns,
  type PostgresContext,
} from "./rows.ts";
import { readEnded, settleTurn } from "./settle-turn.ts";

const turnPages: Omit<PagedRows, "columns"> = {
  table: "turns",
  where: `conversation_id = $1 and ${ownedBy("$2")}`,
  order: "started_at, id",
};

export function postgresTurns(context: PostgresContext): TurnMethods {
  const { driver, owner, now } = context;
  let lastPlace = 0;
  /** Grows, and is known before it is stored, so that a part that is sent again finds itself. */
  const nextPlace = (): number => (lastPlace = Math.max(lastPlace + 1, Math.floor(now()) * 1000));
  const keepPart = (userId: string, turnId: string, ...part: KeptPart): Promise<void> =>
    keep(context, { userId, turnId, seq: nextPlace() }, ...part);

  return {
    beginTurn: (given) => beginTurn(context, given),

    getTurn: (userId, turnId) => readTurn(driver, userId, turnId),

    async findRunningTurn(userId, conversationId) {
      const running = await readRunning(driver, userId, conversationId);
      // Only if there are none: perhaps the conversation is missing.
      if (running === undefined) await readConversation(driver, userId, conversationId);
      return running;
    },

    async listTurns(userId, conversationId, { ids, isBrief = false } = {}) {
      const columns = isBrief ? briefColumns : turnColumns;
      const some =
        ids === undefined ? "" : " and id in (select json_array_elements_text($3::json))";
      const pages = { ...turnPages, columns, where: `${turnPages.where}${some}` };
      const values = [conversationId, userId, ...(ids === undefined ? [] : [JSON.stringify(ids)])];
      const rows = await readPages(driver, pages, values);
      if (rows.length === 0) await readConversation(driver, userId, conversationId);
      return mapInSlices(rows, toTurn);
    },

    async getDraft(userId, turnId) {
      await readTurn(driver, userId, turnId);
      return readDraft(driver, userId, turnId);
    },

    appendPart: (userId, turnId, part, texts) => keepPart(userId, turnId, "part", part, texts),

    storeToolIntent: (userId, turnId, call) => keepPart(userId, turnId, "intent", call.id),

    storeToolResult: (userId, turnId, result) => keepPart(userId, turnId, "result", result),

    finishMessage: (userId, turnId, message) => finishMessage(context, userId, turnId, message),

    async finishTurn(userId, turnId, { messages, ...end }) {
      if (messages === undefined || messages.length > 1) {
        return driver.transaction(async (sql, mayBeDone) => {
          const done = mayBeDone && (await readEnded(sql, { userId, turnId, owner, end }));
          if (done) return done;
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
  };
}

async function finishMessage(
  context: PostgresContext,
  userId: string,
  turnId: string,
  message: Message,
): Promise<StoredMessage> {
  const { driver, owner, newId } = context;
  const messageId = newId();
  try {
    const settling = { userId, turnId, owner, message, messageId };
    const settled = await settleTurn(driver, context, settling);
    return settled?.stored ?? (await refuseLost(context, userId, turnId));
  } catch (error) {
    if (!hasCode(error, "23505")) throw error;
    // An attempt whose answer was lost has stored it.
    const [stored] = await readMessages(driver, userId, [messageId]);
    if (stored === undefined) throw error;
    return stored;
  }
}

type KeptPart = readonly [kind: DraftKind, value: unknown, texts?: BlockPlace | undefined];

interface PartPlace {
  readonly userId: string;
  readonly turnId: string;
  readonly seq: number;
}

/**
 * Locks the turn so that it isn't recovered while the part is written; otherwise an acknowledged
 * part is lost.
 */
async function keep(
  context: PostgresContext,
  { userId, turnId, seq }: PartPlace,
  ...[kind, value, texts]: KeptPart
): Promise<void> {
  const insert = `insert into turn_parts (seq, turn_id, user_id, kind, content)
    overriding system value
    select $6::bigint, id, user_id, $4, $5::json from turns
    where id = $1 and ${ownedBy("$2")} and owner = $3 and state = 'running' for share
    on conflict (turn_id, seq) do nothing`;
  const values = [turnId, userId, context.owner, kind, encodeJson("part", value), seq];
  const steps = {
    kept: `${insert} returning turn_id`,
    said: `delete from turn_texts using kept
      where turn_texts.turn_id = kept.turn_id and step = $7 and block <= $8`,
  };
  const { driver } = context;
  const result =
    texts === undefined
      ? await driver.query(`${insert} returning turn_id`, values)
      : await driver.query(inSteps(steps, "select turn_id from kept"), [
          ...values,
          texts.step,
          texts.block,
        ]);
  if (result.rows.length === 1) return;
  if (result.mayBeDone === true && (await isKept(driver, turnId, seq))) return;
  await refuseLost(context, userId, turnId);
}

const isKept = async (sql: Sql, turnId: string, seq: number): Promise<boolean> =>
  (await sql.query(`select 1 from turn_parts where turn_id = $1 and seq = $2`, [turnId, seq])).rows
    .length > 0;

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
  // One that can't be ended must not keep the others from it.
  if (failures.length > 0) throw failures[0];
  return recovered;
}
