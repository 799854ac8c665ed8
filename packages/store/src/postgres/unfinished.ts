import { encodeJson } from "../encode-json.ts";
import { cleanText } from "../search-text.ts";
import type { Conversation, NewConversation } from "../store.ts";
import { write } from "./driver.ts";
import { at, conversationColumns, toConversation, type PostgresContext } from "./rows.ts";

interface Making extends Omit<NewConversation, "id"> {
  readonly head: string | null;
}

/**
 * A conversation that is written piece by piece, because one transaction would block an embedded
 * engine for seconds. It stays hidden until it is whole; if the process dies before that, it is
 * never seen.
 */
export async function makeConversation(
  { driver, newId, now }: PostgresContext,
  userId: string,
  { title = "", info = {}, createdAt, head }: Making,
  fill: (conversationId: string, time: number) => Promise<void>,
): Promise<Conversation> {
  const id = newId();
  const time = now();
  await write(
    driver,
    1,
    `insert into conversations
      (id, user_id, title, head, info, created_at, updated_at, unfinished_since)
    values ($1, $2, $3, $4, $5::json, ${at("$7")}, ${at("$6")}, ${at("$6")})
    on conflict (id) do nothing`,
    [
      id,
      userId,
      cleanText(title),
      head,
      encodeJson("info", info),
      time,
      Math.min(createdAt ?? time, time),
    ],
  );
  try {
    await fill(id, time);
    const { rows } = await write(
      driver,
      1,
      `update conversations set unfinished_since = null where id = $1 returning ${conversationColumns}`,
      [id],
    );
    return toConversation(rows[0]!);
  } catch (error) {
    await driver.query(`delete from conversations where id = $1`, [id]).catch(() => undefined);
    throw error;
  }
}

/** Longer than any of them takes. */
const abandonedMs = 3_600_000;

/** Deletes those whose process died before they were whole. */
export const forgetUnfinished = ({ driver, now }: PostgresContext): Promise<unknown> =>
  driver.query(`delete from conversations where unfinished_since < ${at("$1")}`, [
    now() - abandonedMs,
  ]);
