import { notFound } from "../refusals.ts";
import type { StoredMessage } from "../store.ts";
import { decodeMessage, type EncodedMessage } from "../encode-message.ts";
import type { DraftEntry, LiveTurns, TextPiece, TurnNews, TurnPlace } from "../turn/live-turns.ts";
import type { SqlRow } from "./driver.ts";
import { ownedBy, toTurn, turnColumns, type PostgresContext } from "./rows.ts";

/**
 * One statement for all turns of the process: five hundred turns cost one statement plus their
 * rows.
 */
const storeTexts = `with given as (
    select * from json_to_recordset($1::json) as given (
      "turnId" text, step integer, block integer, start integer, kind text, content text)),
  own as (select id from turns where id in (select "turnId" from given)
    and owner = $2 and state = 'running'),
  kept as (insert into turn_texts (turn_id, step, block, start, kind, content)
    select id, step, block, start, kind, content::json from given, own where id = "turnId"
    on conflict (turn_id, step, block, start) do update set content = excluded.content)
  select id from own`;

/**
 * All of it from one moment: a finished block replaces its texts, and a message replaces its
 * blocks.
 */
const readNews = `select ${turnColumns}, turns.user_id,
    (select json_agg(json_build_array(m.id, m.parent_id, m.role, m.parts::text, m.fields::text,
        round(extract(epoch from m.created_at) * 1000)) order by m.created_at)::text
      from messages m where m.turn_id = turns.id and m.id <> turns.message_id
        and m.created_at > to_timestamp(place.message / 1000)) as messages,
    (select json_agg(json_build_array(d.seq, d.kind, d.content::text) order by d.seq)::text
      from turn_parts d where d.turn_id = turns.id and d.seq > place.entry) as entries,
    (select json_agg(json_build_array(t.step, t.block, t.start, t.kind, t.content::text)
        order by t.step, t.block, t.start)::text
      from turn_texts t where t.turn_id = turns.id and turns.state = 'running'
        and (t.step, t.block, t.start) >= (place.step, place.block, place.start)) as texts
  from json_to_recordset($1::json) as place ("turnId" text, "userId" text, message float8,
    entry bigint, step integer, block integer, start integer)
  join turns on turns.id = place."turnId" and ${ownedBy('place."userId"')}`;

export function postgresLiveTurns(context: PostgresContext): LiveTurns {
  const { driver, owner } = context;
  return {
    async storeTexts(pieces) {
      const given = pieces.map(({ text, ...piece }) => ({
        ...piece,
        content: JSON.stringify(text),
      }));
      const { rows } = await driver.query(storeTexts, [JSON.stringify(given), owner]);
      const own = new Set(rows.map((row) => row["id"]));
      return [...new Set(pieces.map(({ turnId }) => turnId))].filter((id) => !own.has(id));
    },

    async readNews(places: readonly TurnPlace[]) {
      const { rows } = await driver.query(readNews, [JSON.stringify(places)]);
      return rows.map(newsIn);
    },

    async askToStop(userId, turnId) {
      const { rows } = await driver.query(
        `with asked as (select id, owner as runner from turns
          where id = $1 and ${ownedBy("$2")}),
        kept as (insert into turn_stops (owner, turn_id) select runner, id from asked
          on conflict do nothing)
        select 1 as asked from asked`,
        [turnId, userId],
      );
      if (rows.length === 0) throw notFound("turn");
    },

    async hearStops(stop) {
      const { rows } = await driver.query(`select turn_id from turn_stops where owner = $1`, [
        owner,
      ]);
      if (rows.length === 0) return;
      for (const row of rows) stop(row["turn_id"] as string);
      // Read first: if a row is deleted before that and the process dies, the stop is lost.
      await driver.query(
        `delete from turn_stops where owner = $1
          and turn_id in (select json_array_elements_text($2::json))`,
        [owner, JSON.stringify(rows.map((row) => row["turn_id"]))],
      );
    },

    ...(driver.signals !== undefined && { signals: driver.signals }),
  };
}

type MessageTuple = readonly [
  string,
  string | null,
  EncodedMessage["role"],
  string,
  string,
  number,
];
type EntryTuple = readonly [number, DraftEntry["kind"], string];
type TextTuple = readonly [number, number, number, TextPiece["kind"], string];

function newsIn(row: SqlRow): TurnNews {
  const turn = toTurn(row);
  const list = (name: string): readonly unknown[] =>
    row[name] === null ? [] : (JSON.parse(row[name] as string) as readonly unknown[]);
  return {
    turn,
    messages: (list("messages") as readonly MessageTuple[]).map(
      ([id, parentId, role, parts, fields, createdAt]): StoredMessage => ({
        id,
        parentId,
        turnId: turn.id,
        createdAt,
        ...decodeMessage({ role, parts, fields }),
      }),
    ),
    entries: (list("entries") as readonly EntryTuple[]).map(([seq, kind, content]) => ({
      seq,
      kind,
      content,
    })),
    texts: textsIn(turn.id, list("texts") as readonly TextTuple[]),
  };
}

const textsIn = (turnId: string, tuples: readonly TextTuple[]): readonly TextPiece[] =>
  tuples.map(([step, block, start, kind, content]) => ({
    turnId,
    step,
    block,
    start,
    kind,
    text: JSON.parse(content) as string,
  }));

/** The stored text of unfinished blocks. */
export const textColumns = "step, block, start, kind, content::text as content";

export const toPiece = (row: SqlRow): Omit<TextPiece, "turnId"> => ({
  step: row["step"] as number,
  block: row["block"] as number,
  start: row["start"] as number,
  kind: row["kind"] as TextPiece["kind"],
  text: JSON.parse(row["content"] as string) as string,
});
