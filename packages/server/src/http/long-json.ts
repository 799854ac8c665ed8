import { createLoopShare } from "@mull/store/parts";
import type { FramesAnswer } from "./answer.ts";
import { jsonHead } from "./respond.ts";

/** As many list items as take a few milliseconds to write. */
const mostAtOnce = 200;

/**
 * Lists deeper than this are written in one go: all lists that grow with a conversation are above.
 */
const deepest = 3;

/**
 * JSON that may be megabytes long, written while it is sent, so that others get the event loop
 * between pieces.
 */
export function longJson(
  value: object,
  headers: Readonly<Record<string, string>> = jsonHead,
): FramesAnswer {
  const pieces = jsonPieces(value, deepest);
  const loop = createLoopShare();
  return {
    status: 200,
    headers: new Map(Object.entries(headers)),
    frames: {
      next: async () => {
        await loop.take();
        const { value: piece, done } = pieces.next();
        return done === true ? undefined : piece;
      },
      leave: () => void pieces.return(),
    },
  };
}

/**
 * Writes what `JSON.stringify` would, in pieces: a long list ends a piece after this many values.
 */
export function* jsonPieces(value: object, depth: number): Generator<string, void> {
  let text = "";
  for (const next of tokens(value, depth)) {
    text += next.text;
    if (!next.isPieceEnd) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

interface JsonToken {
  readonly text: string;
  readonly isPieceEnd?: boolean;
}

function* tokens(value: unknown, depth: number): Generator<JsonToken, void> {
  if (Array.isArray(value) && value.length > mostAtOnce) yield* listTokens(value);
  else if (depth > 0 && isPlainObject(value)) yield* objectTokens(value, depth - 1);
  else yield { text: JSON.stringify(value) };
}

function* listTokens(list: readonly unknown[]): Generator<JsonToken, void> {
  for (let next = 0; next < list.length; next += mostAtOnce) {
    const some = JSON.stringify(list.slice(next, next + mostAtOnce)).slice(1, -1);
    yield { text: `${next === 0 ? "[" : ","}${some}`, isPieceEnd: true };
  }
  yield { text: "]" };
}

function* objectTokens(
  object: Readonly<Record<string, unknown>>,
  depth: number,
): Generator<JsonToken, void> {
  let before = "{";
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield { text: `${before}${JSON.stringify(name)}:` };
    yield* tokens(value, depth);
    before = ",";
  }
  yield { text: before === "{" ? "{}" : "}" };
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("toJSON" in value);
