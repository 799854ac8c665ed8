/** Rows on the screen that are still ours to change, and where the cursor is among them. */
export interface Region {
  readonly rows: readonly string[];
  readonly cursor: Position;
}

export interface Position {
  readonly row: number;
  readonly column: number;
}

const csi = "\u001b[";
const move = (from: number, to: number): string => {
  if (from === to) return "";
  return to < from ? `${csi}${from - to}A` : `${csi}${to - from}B`;
};
const right = (columns: number): string => (columns === 0 ? "" : `${csi}${columns}C`);

/** Characters a change of look cannot hide in. */
const plain = /^[\x20-\x7e]*/;

/** Only what differs of a row is written; the same look must hold from there on. */
function rewrite(old: string, next: string): string {
  let same = 0;
  const limit = Math.min(plain.exec(old)![0].length, plain.exec(next)![0].length);
  while (same < limit && old[same] === next[same]) same++;
  const rest = old.length > same && next.length === same ? `${csi}K` : "";
  const clear = rest === "" && old.length > same ? `${csi}K` : rest;
  return `\r${right(same)}${clear}${next.slice(same)}`;
}

/**
 * The bytes that turn one region into the next. Rows leave upwards into the scrollback by not being
 * in the next region any more: nothing above the region is ever addressed, and the screen is never
 * cleared. `bulk` says that rows may be wider than the screen or more than fit on it: then
 * everything from the first difference on is written anew.
 */
export function paintRows(old: Region, next: Region, bulk: boolean): string {
  // In bulk at least one old row is written again: below the last of them there may be no screen.
  const most = bulk ? Math.max(old.rows.length - 1, 0) : old.rows.length;
  const head = Math.min(sameHead(old.rows, next.rows), most);
  const tail = sameTail(old.rows, next.rows, head);
  const before = old.rows.length - head - tail;
  const after = next.rows.length - head - tail;
  let at = old.cursor.row;
  let bytes = "";
  if (bulk) {
    bytes += `${move(at, head)}\r${csi}J${next.rows.slice(head).join("\r\n")}`;
    at = Math.max(next.rows.length - 1, head);
  } else {
    const grown = after - before;
    if (grown > 0) {
      const last = Math.max(old.rows.length - 1, 0);
      const missing = old.rows.length === 0 ? grown - 1 : grown;
      bytes += `${move(at, last)}\r${"\n".repeat(missing)}`;
      at = last + missing;
      if (tail > 0) {
        bytes += `${move(at, head + before)}${csi}${grown}L`;
        at = head + before;
      }
    } else if (grown < 0) {
      bytes += `${move(at, head + after)}\r${tail > 0 ? `${csi}${-grown}M` : `${csi}J`}`;
      at = head + after;
    }
    for (let row = head; row < head + after; row++) {
      const was = row < head + before ? (old.rows[row] ?? "") : "";
      const will = next.rows[row]!;
      if (was === will) continue;
      bytes += move(at, row) + rewrite(was, will);
      at = row;
    }
  }
  const isStill =
    bytes === "" && old.cursor.row === next.cursor.row && old.cursor.column === next.cursor.column;
  return isStill ? "" : `${bytes}${move(at, next.cursor.row)}\r${right(next.cursor.column)}`;
}

function sameHead(one: readonly string[], other: readonly string[]): number {
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same++;
  return same;
}

function sameTail(one: readonly string[], other: readonly string[], head: number): number {
  const most = Math.min(one.length, other.length) - head;
  let same = 0;
  while (same < most && one.at(-1 - same) === other.at(-1 - same)) same++;
  return same;
}
