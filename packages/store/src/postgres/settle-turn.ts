import type { Message } from "mull";
import { encodeJson } from "../encode-json.ts";
import type { StoredMessage, Turn, TurnEnd } from "../store.ts";
import { insertMessage, newMessage, storedFrom, type NewMessage } from "./add-message.ts";
import {
  checkWritten,
  createBindings,
  inSteps,
  type Sql,
  type SqlRow,
  type SqlValue,
} from "./driver.ts";
import { at, ms, ownedBy, readTurn, toTurn, turnColumns, type PostgresContext } from "./rows.ts";

/** How a turn ends, or was ended. */
export type TurnEnding = Omit<TurnEnd, "state" | "messages"> & { readonly state: Turn["state"] };

export interface Settling {
  readonly userId: string;
  readonly turnId: string;
  /** Only a turn that this process runs. */
  readonly owner: string;
  readonly message?: Message;
  /** The id of the message, if somebody will look for it; random when left out. */
  readonly messageId?: string;
  /** Absent: the turn continues. */
  readonly end?: TurnEnding;
  /** The draft stays next to its message. */
  readonly keepsDraft?: boolean;
}

interface Settled {
  readonly turn: Turn;
  readonly stored: StoredMessage | undefined;
}

/**
 * Stores a whole message of a running turn in place of its draft, moves the head, and ends the turn
 * if `end` is given. One statement, so all of it is there or nothing. Locks the conversation, then
 * the turn: the order that every writer uses. `undefined`: `owner` runs no such turn.
 */
export async function settleTurn(
  sql: Sql,
  { now, newId }: PostgresContext,
  given: Settling,
): Promise<Settled | undefined> {
  const { turnId, end } = given;
  const fresh = given.message && newMessage(given.message, given.messageId ?? newId());
  const { values, bind } = createBindings();
  const places = { turn: bind(turnId), user: bind(given.userId), now: bind(now()) };
  const { turn, user } = places;
  const isRunning = `turns.id = ${turn} and turns.conversation_id = held.held_id
    and turns.owner = ${bind(given.owner)} and turns.state = 'running'`;
  const parent = `coalesce((select id from messages where turn_id = ${turn}
    order by created_at desc limit 1), settled.message_id)`;
  const steps = {
    held: `select id as held_id from conversations where ${ownedBy(user)} and id =
        (select conversation_id from turns where id = ${turn} and ${ownedBy(user)})
      for update`,
    settled:
      end === undefined
        ? `select ${turnColumns} from turns, held where ${isRunning} for update of turns`
        : `update turns set ${endColumns(end, places.now, bind)} from held where ${isRunning}
          returning ${turnColumns}`,
    stored:
      fresh === undefined
        ? `select ${parent} as id, null as parent_id, null::timestamptz as created_at from settled`
        : `${insertMessage(fresh, { ...places, conversation: "settled.conversation_id", parent }, bind)}
          from settled returning id, parent_id, created_at`,
    moved: `update conversations set head = stored.id, updated_at = ${at(places.now)}
      from settled, stored where conversations.id = settled.conversation_id returning 1`,
    said: `delete from turn_texts using settled where turn_texts.turn_id = settled.id`,
    ...(given.keepsDraft !== true && {
      cleared: `delete from turn_parts using settled where turn_parts.turn_id = settled.id`,
    }),
  };
  const { rows, mayBeDone } = await sql.query(
    inSteps(
      steps,
      `select settled.*, stored.parent_id, ${ms("created_at")},
        (select count(*)::int from moved) as moved
      from settled left join stored on true`,
    ),
    values,
  );
  const [row] = rows;
  if (row === undefined) {
    const done = mayBeDone === true ? await readEnded(sql, given) : undefined;
    return done && { turn: done, stored: undefined };
  }
  checkWritten(row["moved"] as number, 1);
  return { turn: toTurn(row), stored: fresh && storedIn(row, fresh, turnId) };
}

/** The turn, if an attempt whose answer was lost has already ended it this way. */
export async function readEnded(
  sql: Sql,
  { userId, turnId, owner, end }: Pick<Settling, "userId" | "turnId" | "owner" | "end">,
): Promise<Turn | undefined> {
  const turn = await readTurn(sql, userId, turnId);
  return turn.owner === owner && turn.state === end?.state ? turn : undefined;
}

const endColumns = (end: TurnEnding, now: string, bind: (value: SqlValue) => string): string =>
  `state = ${bind(end.state)}, ended_at = ${at(now)}, usage = ${bind(json(end.usage))}::json,
    tokens = ${bind(end.usage?.total ?? null)}::float8, cost = ${bind(end.cost ?? null)}::float8,
    receipt = ${bind(json(end.receipt))}::json, error = ${bind(json(end.error))}::json`;

const json = (value: unknown): string | null =>
  value === undefined ? null : encodeJson("turn", value);

const storedIn = (row: SqlRow, fresh: NewMessage, turnId: string): StoredMessage =>
  storedFrom(fresh, {
    parentId: row["parent_id"] as string,
    turnId,
    createdAt: row["created_at"] as number,
  });
