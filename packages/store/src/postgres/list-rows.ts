import { cleanText } from "../search-text.ts";
import type { ListConversations } from "../store.ts";
import { createBindings, type Sql, type SqlRow, type SqlValue } from "./driver.ts";
import { at, conversationColumns } from "./rows.ts";

const mostListed = 50;

/** As many as are looked through before others get to an engine that does one thing at a time. */
const lookedThroughAtOnce = 50;

type Place = Pick<ListConversations, "before" | "beforeId">;

/** The rows of conversations, latest change first. */
export async function listRows(
  sql: Sql,
  userId: string,
  { search, everything = false, limit = mostListed, ...first }: ListConversations,
): Promise<readonly SqlRow[]> {
  if (search === undefined) return readRows(sql, userId, first, limit);
  const found: SqlRow[] = [];
  let place: Place = first;
  for (;;) {
    const some = await readRows(sql, userId, place, lookedThroughAtOnce);
    const wanted = await findMatches(sql, userId, some, cleanText(search), everything);
    found.push(...some.filter((row) => wanted.has(row["id"])));
    const last = some.at(-1);
    if (last === undefined || some.length < lookedThroughAtOnce || found.length >= limit) break;
    place = { before: last["updated_at"] as number, beforeId: last["id"] as string };
  }
  return found.slice(0, limit);
}

async function readRows(
  sql: Sql,
  userId: string,
  place: Place,
  limit: number,
): Promise<readonly SqlRow[]> {
  const { values, bind } = createBindings();
  const conditions = [
    `user_id = ${bind(userId)}`,
    "unfinished_since is null",
    ...behind(place, bind),
  ];
  const { rows } = await sql.query(
    `select ${conversationColumns} from conversations where ${conditions.join(" and ")}
    order by conversations.updated_at desc, id desc limit ${bind(limit)}::int`,
    values,
  );
  return rows;
}

function behind({ before, beforeId }: Place, bind: (value: SqlValue) => string): readonly string[] {
  if (before === undefined) return [];
  const time = at(bind(before));
  return [
    beforeId === undefined
      ? `updated_at < ${time}`
      : `(updated_at, id) < (${time}, ${bind(beforeId)})`,
  ];
}

/** Which of these have the words in their title or in what is said in them. */
async function findMatches(
  sql: Sql,
  userId: string,
  rows: readonly SqlRow[],
  wanted: string,
  everything: boolean,
): Promise<ReadonlySet<unknown>> {
  if (rows.length === 0) return new Set();
  const { values, bind } = createBindings();
  const ids = bind(JSON.stringify(rows.map((row) => row["id"])));
  const user = bind(userId);
  const text = bind(wanted);
  const inParts = everything
    ? `or position(lower(${bind(JSON.stringify(wanted).slice(1, -1))}) in lower(m.parts::text)) > 0`
    : "";
  const found = await sql.query(
    `select id from conversations
    where id in (select json_array_elements_text(${ids}::json)) and user_id = ${user}
      and (position(lower(${text}) in lower(title)) > 0 or exists (
        select 1 from messages m where m.conversation_id = conversations.id and m.user_id = ${user}
          and (position(lower(${text}) in lower(m.search)) > 0 ${inParts})))`,
    values,
  );
  return new Set(found.rows.map((row) => row["id"]));
}
