import { isLeft } from "../refusals.ts";
import { cleanText } from "../search-text.ts";
import type { ListConversations } from "../listing.ts";
import { createBindings, type Sql, type SqlRow, type SqlValue } from "./driver.ts";
import { at, conversationColumns } from "./rows.ts";
import { hasSearchIndex } from "./search-index.ts";

const mostListed = 50;

/**
 * As many conversations as are searched before the next ones are read, and as many of their
 * messages as an engine that does one thing at a time can take without holding others up.
 */
const atOnce = { conversations: 50, messages: 1000 } as const;

/** Search at most this many for what the index would find at once. */
const mostLooked = 20 * atOnce.conversations;

type PageStart = Pick<ListConversations, "before" | "beforeId">;

/** The rows of conversations, latest change first. */
export async function listRows(
  sql: Sql,
  userId: string,
  options: ListConversations,
): Promise<readonly SqlRow[]> {
  const { search, limit = mostListed, everything = false, signal, ...place } = options;
  if (search === undefined) return readRows(sql, userId, place, limit);
  const words = { text: cleanText(search), everything };
  return findRows(sql, { userId, limit, words, ...(signal && { signal }) }, place);
}

interface SearchedWords {
  readonly text: string;
  readonly everything: boolean;
}

interface WordSearch {
  readonly userId: string;
  readonly limit: number;
  readonly words: SearchedWords;
  readonly signal?: AbortSignal;
}

/**
 * Searches the latest conversations first: common words are found there sooner than in an index.
 * Rare words are found by the index, if there is one.
 */
async function findRows(
  sql: Sql,
  { userId, limit, words, signal }: WordSearch,
  first: PageStart,
): Promise<readonly SqlRow[]> {
  const found: SqlRow[] = [];
  let place = first;
  let isIndexed: boolean | undefined = words.everything ? false : undefined;
  for (let looked = 0; ;) {
    if (signal?.aborted === true) throw isLeft();
    const some = await readRows(sql, userId, place, atOnce.conversations, words.text);
    const untitled = some.flatMap((row) => (row["is_titled"] ? [] : [row["id"] as string]));
    const wanted = await findMatches(sql, userId, untitled, words);
    found.push(...some.filter((row) => row["is_titled"] || wanted.has(row["id"])));
    const last = some.at(-1);
    if (last === undefined || some.length < atOnce.conversations || found.length >= limit) break;
    place = { before: last["updated_at"] as number, beforeId: last["id"] as string };
    looked += some.length;
    const isRare = found.length * mostLooked < limit * looked;
    if (!isRare || isIndexed === false) continue;
    isIndexed ??= await hasSearchIndex(sql);
    if (!isIndexed) continue;
    found.push(...(await readIndexed(sql, userId, place, limit - found.length, words.text)));
    break;
  }
  return found.slice(0, limit);
}

/**
 * What the index finds after a place. The comment keeps the statement from being prepared: the best
 * plan depends on how rare these words are.
 */
async function readIndexed(
  sql: Sql,
  userId: string,
  place: PageStart,
  limit: number,
  words: string,
): Promise<readonly SqlRow[]> {
  const { values, bind } = createBindings();
  const user = bind(userId);
  const matching = patternsFor(words, bind);
  const isIn = (column: string): string =>
    `(${matching.map((pattern) => `lower(${column}) ${pattern}`).join(" or ")})`;
  const { rows } = await sql.query(
    `/* words */ select ${conversationColumns} from conversations
    where ${["unfinished_since is null", `user_id = ${user}`, ...behind(place, bind)].join(" and ")}
      and id in (
        select conversation_id from messages where user_id = ${user} and ${isIn("search")}
        union select id from conversations where user_id = ${user} and ${isIn("title")})
    order by conversations.updated_at desc, id desc limit ${bind(limit)}::int`,
    values,
  );
  return rows;
}

const twoLetters = /^[a-z\d]{2}$/i;

/** What a text in lower case has to match; one of them is enough. */
const patternsFor = (words: string, bind: (value: SqlValue) => string): readonly string[] =>
  twoLetters.test(words)
    ? aroundTwo(words.toLowerCase()).map(([how, pattern]) => `${how} ${bind(pattern)}`)
    : [
        `like '%' || regexp_replace(lower(${bind(words)}::text), '([\\\\%_])', '\\\\\\1', 'g') || '%'`,
      ];

/**
 * The index knows three letters in a row: `%ai%` makes it read everything. So ask for `ai` with a
 * letter before it, with one after it, or where a word begins. A pattern may list no character
 * beyond U+07FF, so what opens a quotation is asked for one by one.
 */
const aroundTwo = (two: string): readonly (readonly ["~" | "like", string])[] => [
  ["~", `[a-z0-9]${two}|${two}[a-z0-9]|(^|[][ \\t\\n!-/:-@\\\\^_\`{-~¡¿«»])${two}`],
  ..."“‘„–—".split("").map((before) => ["like", `%${before}${two}%`] as const),
];

/** With `words`, each row says whether its title has them. */
async function readRows(
  sql: Sql,
  userId: string,
  place: PageStart,
  limit: number,
  words?: string,
): Promise<readonly SqlRow[]> {
  const { values, bind } = createBindings();
  const conditions = [
    `user_id = ${bind(userId)}`,
    "unfinished_since is null",
    ...behind(place, bind),
  ];
  const isTitled = words === undefined ? "" : `, ${contains("title", bind(words))} as is_titled`;
  const { rows } = await sql.query(
    `select ${conversationColumns}${isTitled} from conversations
    where ${conditions.join(" and ")}
    order by conversations.updated_at desc, id desc limit ${bind(limit)}::int`,
    values,
  );
  return rows;
}

const contains = (column: string, words: string): string =>
  `position(lower(${words}) in lower(${column})) > 0`;

function behind(
  { before, beforeId }: PageStart,
  bind: (value: SqlValue) => string,
): readonly string[] {
  if (before === undefined) return [];
  const time = at(bind(before));
  return [
    beforeId === undefined
      ? `updated_at < ${time}`
      : `(updated_at, id) < (${time}, ${bind(beforeId)})`,
  ];
}

/** A conversation, and the time of the last message that was searched, in seconds. */
interface Looking {
  readonly id: string;
  readonly from: number | "-Infinity";
}

/**
 * Which of these conversations have the words in their messages. All are searched in parallel,
 * piece by piece.
 */
async function findMatches(
  sql: Sql,
  userId: string,
  ids: readonly string[],
  words: SearchedWords,
): Promise<ReadonlySet<unknown>> {
  const found = new Set<unknown>();
  let open: readonly Looking[] = ids.map((id) => ({ id, from: "-Infinity" }));
  while (open.length > 0) {
    const each = Math.ceil(atOnce.messages / open.length);
    const looked = await lookInto(sql, userId, open, each, words);
    for (const row of looked) if (row["is_found"] === true) found.add(row["id"]);
    open = looked.flatMap((row) =>
      row["is_found"] === true || (row["count"] as number) < each
        ? []
        : [{ id: row["id"] as string, from: row["last"] as number }],
    );
  }
  return found;
}

/** Searches the next `each` messages of every conversation. */
async function lookInto(
  sql: Sql,
  userId: string,
  open: readonly Looking[],
  each: number,
  { text, everything }: SearchedWords,
): Promise<readonly SqlRow[]> {
  const { values, bind } = createBindings();
  const list = bind(JSON.stringify(open));
  const user = bind(userId);
  const inSearch = contains("search", bind(text));
  const inParts = everything
    ? ` or ${contains("parts::text", bind(JSON.stringify(text).slice(1, -1)))}`
    : "";
  const { rows } = await sql.query(
    `select talk.id, count(*)::int as count, extract(epoch from max(next.created_at))::float8 as last,
      bool_or(next.is_hit) as is_found
    from json_to_recordset(${list}::json) as talk (id text, "from" float8),
      lateral (select created_at, ${inSearch}${inParts} as is_hit from messages
        where conversation_id = talk.id and user_id = ${user} and created_at > to_timestamp(talk."from")
        order by created_at limit ${bind(each)}::int) as next
    group by talk.id`,
    values,
  );
  return rows;
}
