import type { NewMessage } from "./add-message.ts";

/**
 * As much as an engine that does one thing at a time can take without holding others up, and this
 * thread can put together.
 */
const most = { rows: 500, characters: 1024 * 1024 } as const;

/** Messages in pieces to write one after the other, each made when it is asked for. */
export function* inPieces<T, Row extends NewMessage>(
  items: readonly T[],
  toRow: (item: T, index: number) => Row,
): Generator<readonly Row[]> {
  let piece: Row[] = [];
  let characters = 0;
  for (const [index, item] of items.entries()) {
    const row = toRow(item, index);
    piece.push(row);
    characters += row.parts.length + row.fields.length + row.search.length;
    if (piece.length < most.rows && characters < most.characters) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}
