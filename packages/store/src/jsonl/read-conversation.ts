import { History, type JsonObject, type Message, type Part } from "mull";
import { historyVersion } from "mull/wire";
import { hasCode, storeError } from "../store-error.ts";
import { createGroups, type OpenGroup, type PlainRecord } from "./read-groups.ts";
import { readLines } from "./read-lines.ts";
import { logVersion, parseRecord, type LogRecord } from "./record.ts";

/**
 * A line that couldn't be used. It stays in the file, unless it is a torn tail that was cut off.
 */
export interface Damage {
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
  readonly kind: "torn-tail" | "bad-line";
  readonly reason: string;
}

/** A message in a conversation file. */
export interface LoggedMessage {
  readonly id: string;
  readonly parent: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly message: Message;
}

/** A turn in a conversation file. */
export interface LoggedTurn {
  /** The last message of the turn. */
  readonly message: string | null;
  readonly at: number;
  readonly data: JsonObject;
}

/** The content of a conversation file. */
export interface ConversationLog {
  /** Absent: the file is empty or missing. */
  readonly id?: string;
  readonly createdAt?: number;
  /** All messages of all branches, in the order they were started. */
  readonly messages: readonly LoggedMessage[];
  readonly head: string | null;
  readonly info: JsonObject;
  readonly turns: readonly LoggedTurn[];
  readonly damage: readonly Damage[];
  /** Where the next record goes: the length of the file without its torn tail. */
  readonly size: number;
  /** The last record is whole but its newline is missing. */
  readonly needsNewline: boolean;
  /**
   * The file has lines, but none is a record or the start of one: it belongs to another program.
   */
  readonly isForeign: boolean;
}

/** Reads a conversation file without locking it: another process may be writing. */
export async function readJsonlConversation(path: string): Promise<ConversationLog> {
  const fold = createFold(path);
  const groups = createGroups(fold.take);
  const damage: Damage[] = [];
  let size = 0;
  let end = 0;
  let needsNewline = false;
  let records = 0;
  let foreign = 0;
  try {
    for await (const { line, offset, bytes, text, ended } of readLines(path)) {
      const read = text === undefined ? { fault: "longer than a record" } : parseRecord(text);
      const record = "fault" in read ? undefined : read;
      const isComplete = ended || record !== undefined;
      const place = { line, offset, ...(text !== undefined && { text }), damaged: damage.length };
      if (isComplete) groups.take({ ...place, ...(record !== undefined && { record }) });
      if (record !== undefined) records++;
      if ("fault" in read && bytes > 0) {
        const kind = ended ? "bad-line" : "torn-tail";
        damage.push({ line, offset, bytes, kind, reason: read.fault });
        if (text === undefined || !mayBeginFile(text)) foreign++;
      }
      end = offset + bytes + (ended ? 1 : 0);
      const isWhole = isComplete && groups.open() === undefined;
      if (isWhole) size = end;
      needsNewline = isWhole && !ended;
    }
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  const torn = groups.open();
  if (torn !== undefined) damage.splice(torn.damaged, Infinity, tornGroup(torn, end));
  const isForeign = records === 0 && foreign > 0;
  return { ...fold.result(), damage, size, needsNewline, isForeign };
}

const tornGroup = ({ line, offset, records }: OpenGroup, end: number): Damage => ({
  line,
  offset,
  bytes: end - offset,
  kind: "torn-tail",
  reason: `${records.length} records that were to be stored together, and were cut`,
});

const firstRecord = '{"type":"conversation",';

/** A crash leaves the start of a first record; a power cut may leave zeros instead. */
const mayBeginFile = (text: string): boolean =>
  firstRecord.startsWith(text) || text.startsWith(firstRecord) || /^\0*$/.test(text);

/** The history in a conversation file with all its branches, continued from its head. */
export function historyOf(log: Pick<ConversationLog, "messages" | "head">): History {
  const positions = new Map(log.messages.map(({ id }, position) => [id, position]));
  const positionOf = (id: string | null): number => (id === null ? -1 : (positions.get(id) ?? -1));
  return History.parse({
    version: historyVersion,
    head: positionOf(log.head),
    entries: log.messages.map(({ parent, message }) => ({ parent: positionOf(parent), message })),
  });
}

interface MessageDraft {
  readonly id: string;
  readonly parent: string | null;
  readonly at: number;
  readonly role: Message["role"];
  readonly parts: Part[];
  fields: JsonObject | undefined;
  whole: Message | undefined;
}

type Folded = Omit<ConversationLog, "damage" | "size" | "needsNewline" | "isForeign">;

function createFold(path: string): { take: (record: PlainRecord) => void; result: () => Folded } {
  let start: { readonly id: string; readonly createdAt: number } | undefined;
  const drafts = new Map<string, MessageDraft>();
  const turns: LoggedTurn[] = [];
  let head: string | null = null;
  let info: JsonObject = {};

  const draftFor = (record: LogRecord & { type: "message" | "part" }): MessageDraft => {
    const known = drafts.get(record.id);
    if (known !== undefined) return known;
    // If the parent's line is damaged, the message follows the one before it.
    const isKnown = record.parent === null || drafts.has(record.parent);
    const role = record.type === "part" ? record.role : record.message.role;
    const { id, at } = record;
    const parent = isKnown ? record.parent : head;
    const draft: MessageDraft = {
      id,
      parent,
      at,
      role,
      parts: [],
      fields: undefined,
      whole: undefined,
    };
    drafts.set(id, draft);
    head = id;
    return draft;
  };

  const take = (record: PlainRecord): void => {
    switch (record.type) {
      case "conversation":
        if (record.v > logVersion) throw tooNew(path, record.v);
        start ??= { id: record.id, createdAt: record.at };
        return;
      case "message":
        draftFor(record).whole = record.message;
        return;
      case "part":
        draftFor(record).parts.push(record.part);
        return;
      case "end": {
        const draft = drafts.get(record.id);
        if (draft !== undefined) draft.fields = record.fields;
        return;
      }
      case "head":
        if (record.id === null || drafts.has(record.id)) head = record.id;
        return;
      case "info":
        info = { ...info, ...record.set };
        return;
      case "turn":
        turns.push({ message: record.message, at: record.at, data: record.data });
    }
  };

  const result = (): Folded => ({
    ...start,
    messages: [...drafts.values()].map(toMessage),
    head,
    info,
    turns,
  });
  return { take, result };
}

function toMessage(draft: MessageDraft): LoggedMessage {
  const { id, parent, at, role, parts } = draft;
  // Without an end, the answer was cut short: its finished parts stay, and it says so.
  const fields = draft.fields ?? (role === "assistant" ? { interrupted: true } : {});
  const message = draft.whole ?? ({ ...fields, role, parts } as Message);
  return { id, parent, at, message };
}

const tooNew = (path: string, version: number): Error =>
  storeError(
    "newer",
    `${path} is a conversation file of version ${version}; this release reads up to ` +
      `${logVersion}. Update mull to open it.`,
  );
