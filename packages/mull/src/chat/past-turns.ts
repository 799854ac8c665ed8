import { addToPrefix, createPrefix, type Prefix } from "../history/fingerprint.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import type { Message, Part } from "../types/message.ts";
import type { HistoryChange } from "../types/plan.ts";
import type { ChatRequest } from "../types/request.ts";
import { isAlone, itemsOf, restOf, type Asking } from "./asking.ts";
import { isFinePiece } from "./cheap-rules.ts";
import { composeBehind, type Composed } from "./compose.ts";
import { isCut, lastCut } from "./cut-history.ts";
import { addToSnapshot, createSnapshot, matchesSnapshot, type Snapshot } from "./snapshot.ts";
import { mayHoldHalfCharacters } from "./write-body.ts";

/** What the beginning of a conversation came to, when it was sent last. Grows by whole turns. */
export interface Past {
  /** What the conversation is known by. */
  readonly first: Message;
  /** What it was made for: anything else needs it made anew. */
  readonly terms: string;
  readonly rows: unknown;
  /** How many messages of the history it covers, and what they were. */
  count: number;
  readonly source: Snapshot;
  readonly sent: Message[];
  readonly items: JsonObject[];
  /** The items as JSON, without brackets. */
  text: string;
  /** Whether there is no half of a character in it. */
  isWhole: boolean;
  readonly withheld: HistoryChange[];
  readonly changes: HistoryChange[];
  /** Ids of items, of calls and of details, as they came and as they went: none may go twice. */
  readonly ids: Set<string>;
  /** Fingerprint of all that, for models that bind their seals to it. */
  prefix: Prefix | undefined;
  /** What the rules were found to say of it. */
  looked: Looked;
  /** What comes next depends on more than is kept here. */
  isClosed: boolean;
  /** The number of the request it was of use for last. */
  usedAt: number;
}

/** How many items the rules that look at pieces have seen, beside which rest of a request. */
interface Looked {
  readonly rest: string;
  count: number;
  isFine: boolean;
}

/** What a piece of a history came to, without what was composed with it. */
export interface Piece {
  readonly composed: Composed;
  readonly items: readonly JsonObject[];
  readonly sent: readonly Message[];
  readonly withheld: readonly HistoryChange[];
  readonly changes: readonly HistoryChange[];
  /** The ids of this piece that may stand only once in a request. */
  readonly ids: ReadonlySet<string>;
}

export const createPast = ({ request, terms, rows }: Asking): Past => ({
  first: request.messages[0]!,
  terms,
  rows,
  count: 0,
  source: createSnapshot(),
  sent: [],
  items: [],
  text: "",
  isWhole: true,
  withheld: [],
  changes: [],
  ids: new Set(),
  prefix: undefined,
  looked: { rest: "", count: 0, isFine: true },
  isClosed: false,
  usedAt: 0,
});

/** Whether a request begins with this past, and goes on where it ends. */
export const continues = (past: Past, { terms, rows, request, mayCutLoops }: Asking): boolean =>
  past.terms === terms &&
  past.rows === rows &&
  (past.count === 0 || isCut(request.messages, past.count, mayCutLoops)) &&
  matchesSnapshot(past.source, request.messages, past.count);

/** Characters, and the values to compare as what a reference to each takes. */
export const sizeOf = ({ text, source }: Past): number => text.length + 8 * source.values.length;

/** Composes messages behind those that are kept; of the last ones, `guests` belong to what follows. */
export function composePiece(
  asking: Asking,
  past: Past,
  request: ChatRequest,
  guests: number,
): Piece {
  const { lead, probe, field, target, context } = asking;
  const isFirst = past.count === 0;
  const messages = isFirst ? request.messages : [...lead, ...request.messages];
  const composed = composeBehind(past.prefix, target, { ...request, messages }, context);
  const { prepared } = composed;
  const ownOf = <T>(list: readonly T[], probed: readonly T[]): readonly T[] =>
    list.slice(isFirst ? 0 : probed.length - 1, list.length - guests);
  const end = past.count + request.messages.length - guests;
  const shift = isFirst ? 0 : past.count - lead.length;
  // One behind the end is where the model is asked to go on.
  const inPlace = (changes: readonly HistoryChange[]): readonly HistoryChange[] =>
    changes
      .map((change) => ({ ...change, message: change.message + shift }))
      .filter(({ message }) => message >= past.count && message < (guests > 0 ? end : end + 1));
  const sent = ownOf(prepared.messages, probe.prepared.messages);
  const items = ownOf(itemsOf(composed, field), itemsOf(probe, field));
  const ids = new Set<string>();
  collectOwnIds(items, ids);
  collectIds(request.messages.slice(0, request.messages.length - guests), ids);
  collectIds(sent, ids);
  return {
    composed,
    items,
    sent,
    withheld: inPlace(prepared.withheld),
    changes: inPlace(prepared.changes),
    ids,
  };
}

function collectIds(messages: readonly Message[], ids: Set<string>): void {
  for (const { parts } of messages) {
    for (const part of parts as readonly Part[]) {
      if (part.type === "tool-call") ids.add(part.id);
      if (part.seal === undefined) continue;
      for (const value of Object.values(part.seal.data))
        if (Array.isArray(value)) collectOwnIds(value as readonly JsonValue[], ids);
    }
  }
}

function collectOwnIds(details: readonly JsonValue[], ids: Set<string>): void {
  for (const detail of details)
    if (isJsonObject(detail) && typeof detail["id"] === "string") ids.add(detail["id"]);
}

/** Whether a piece stands behind what is kept as both are. */
export function joins(past: Past, { request, target }: Asking, piece: Piece): boolean {
  const { items, sent, composed } = piece;
  const [item] = items;
  // The open loop is told of by how it began, which may be long ago.
  if (item === undefined || composed.prepared.notes.length > 0) return false;
  if (past.count === 0) return true;
  const isOneTurn =
    joinsNeighbours.has(target.provider.wire.id) && item["role"] === past.items.at(-1)?.["role"];
  return (
    !isOneTurn &&
    sent[0]?.role === request.messages[past.count]?.role &&
    !holdsResponse(item) &&
    !sharesIds(past, piece)
  );
}

const joinsNeighbours: ReadonlySet<string> = new Set(["anthropic-messages", "google-generate"]);

/** With one of the caller's own beside it, a question does not begin a turn for Google. */
const holdsResponse = ({ parts }: JsonObject): boolean =>
  Array.isArray(parts) && parts.some((part) => isJsonObject(part) && "functionResponse" in part);

/** An id may go once, over all that is sent. */
const sharesIds = ({ ids }: Past, piece: Piece): boolean => {
  for (const id of piece.ids) if (ids.has(id)) return true;
  return false;
};

/**
 * Takes in what is over since: up to the last question, or up to the last step of a tool loop where
 * no part of a request depends on the loop being open. It may come to `mostText` characters.
 */
export function growPast(past: Past, asking: Asking, mostText: number): void {
  if (past.isClosed) return;
  const { messages, cache: _, ...rest } = asking.request;
  const end = lastCut(messages, past.count, asking.mayCutLoops);
  if (end === past.count) return;
  // A question is composed with the turn before it: an answer at the end would be asked to go on.
  const guest = messages[end]!.role === "user" ? messages[end] : undefined;
  const guests = guest === undefined ? 0 : 1;
  const news = messages.slice(past.count, end + guests);
  const piece = composePiece(asking, past, { ...rest, messages: news }, guests);
  past.isClosed = !(
    joins(past, asking, piece) &&
    isSelfContained(asking, piece, guest) &&
    keep(past, asking, piece, end, mostText)
  );
}

/** Whether a piece is the same whatever comes behind it, and changes nothing there. */
function isSelfContained(asking: Asking, piece: Piece, guest: Message | undefined): boolean {
  const { rest, request, field, isBinding } = asking;
  const { composed, sent, withheld, changes } = piece;
  const isBound = ({ message, part = 0 }: HistoryChange): boolean =>
    request.messages[message]?.parts[part]?.seal?.prefix !== undefined;
  const last = sent.at(-1)?.role;
  const isOver =
    guest === undefined
      ? last === "tool"
      : last === "assistant" && isAlone(itemsOf(composed, field).at(-1), guest);
  return (
    isOver &&
    restOf(composed, field) === rest &&
    // A bound thought that is held back may take later ones with it.
    !(isBinding && withheld.some(isBound)) &&
    // What stands in for a missing beginning is told of at the end of all changes.
    !changes.some(({ code, message }) => code === "user-added" && message === 0)
  );
}

function keep(past: Past, asking: Asking, piece: Piece, end: number, mostText: number): boolean {
  const { items, sent, withheld, changes, ids } = piece;
  const text = JSON.stringify(items).slice(1, -1);
  const news = asking.request.messages.slice(past.count, end);
  if (sizeOf(past) + text.length > mostText || !addToSnapshot(past.source, news)) return false;
  past.text = past.text === "" ? text : `${past.text},${text}`;
  past.isWhole &&= !mayHoldHalfCharacters(text);
  past.prefix = prefixBehind(past, asking, sent);
  past.count = end;
  addAll(past.items, items);
  addAll(past.sent, sent);
  addAll(past.withheld, withheld);
  addAll(past.changes, changes);
  for (const id of ids) past.ids.add(id);
  return true;
}

/** A `push` of thousands at once would overflow the stack. */
function addAll<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

/** Whether the rules have nothing against what is kept. What they saw in this company, they see once. */
export function isFine(past: Past, { rest, probe, field, target }: Asking): boolean {
  if (past.looked.rest !== rest) past.looked = { rest, count: 0, isFine: true };
  const { looked, items } = past;
  if (looked.isFine && looked.count < items.length) {
    const { path, headers, body } = probe.encoded;
    looked.isFine = isFinePiece({
      wire: target.provider.wire.id,
      model: target.model,
      path,
      headers,
      body: { ...body, [field]: items.slice(looked.count) },
    });
    looked.count = items.length;
  }
  return looked.isFine;
}

function prefixBehind(
  { prefix: before }: Past,
  { isBinding, request, probe }: Asking,
  sent: readonly Message[],
): Prefix | undefined {
  if (!isBinding) return undefined;
  const prefix = before ?? createPrefix(request.system, probe.request.tools ?? request.tools);
  for (const message of sent) addToPrefix(prefix, message);
  // Its paper has the size of the longest text.
  return { ...prefix, paper: undefined };
}
