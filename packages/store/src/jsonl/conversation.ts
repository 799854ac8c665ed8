import { randomUUID } from "node:crypto";
import type { History, HistoryJson, JsonObject, Message, Part } from "mull";
import { encodeJson } from "../encode-json.ts";
import { checkMessage } from "../encode-message.ts";
import type { Hold } from "../lock/held.ts";
import { hold } from "../lock/hold.ts";
import { storeError } from "../store-error.ts";
import { appendFile, openForAppend, type AppendFile, type OpenForAppend } from "./append-file.ts";
import {
  historyOf,
  readJsonlConversation,
  type Damage,
  type LoggedMessage,
  type LoggedTurn,
} from "./read-conversation.ts";
import { logVersion, type LogRecord } from "./record.ts";

export interface JsonlOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly newId?: () => string;
  /** The file calls. Replaced in tests. */
  readonly open?: OpenForAppend;
}

/**
 * One conversation in one append-only file, held by this process until `close`.
 * What a call acknowledged survives `kill -9`; what `append`, `finish` and `save` acknowledged
 * survives a power cut as well.
 */
export interface JsonlConversation extends AsyncDisposable {
  readonly path: string;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Id of the message the conversation continues from. */
  readonly head: string | null;
  /** Name, model and whatever else `setInfo` was given. */
  readonly info: JsonObject;
  /** All messages of all branches, in the order they were begun. */
  readonly entries: readonly LoggedMessage[];
  readonly turns: readonly LoggedTurn[];
  /** Lines that could not be used when the file was opened. */
  readonly damage: readonly Damage[];
  /** Every branch, at the head. Positions in it are positions in `entries`. */
  readonly history: () => History;
  /** A whole message behind the head. Returns its id. */
  readonly append: (message: Message) => Promise<string>;
  /** A finished part of the message being made; begins one when none of this role is open. */
  readonly appendPart: (role: "assistant" | "tool", part: Part) => Promise<string>;
  /** The message being made, whole. Without open parts the same as `append`. */
  readonly finish: (message: Message) => Promise<string>;
  /** Brings the file to a history that grew out of `history()`: new messages, branches, head. */
  readonly save: (history: History) => Promise<void>;
  readonly moveHead: (id: string | null) => Promise<void>;
  /** Merged into `info`; a `null` stays as `null`. */
  readonly setInfo: (set: JsonObject) => Promise<void>;
  /** Receipt, usage and the like of the turn that ended at the head. */
  readonly appendTurn: (data: JsonObject) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens or begins a conversation file. Fails, naming the process, when another one has it open, and
 * when the file is something else.
 */
export async function jsonlConversation(
  path: string,
  options: JsonlOptions = {},
): Promise<JsonlConversation> {
  const held = await hold(path);
  try {
    const log = await readJsonlConversation(path);
    // The last line of a text often has no newline: taken for a torn record, it would be cut off.
    if (log.isForeign) throw isForeign(path);
    const file = appendFile(path, log, options.open ?? openForAppend);
    return new OpenConversation(path, log, file, held, options);
  } catch (error) {
    await held.release();
    throw error;
  }
}

interface OpenMessage {
  readonly id: string;
  readonly position: number;
  readonly role: Message["role"];
  readonly parts: Part[];
}

type Log = Awaited<ReturnType<typeof readJsonlConversation>>;

class OpenConversation implements JsonlConversation {
  readonly path: string;
  readonly id: string;
  readonly createdAt: number;
  readonly damage: readonly Damage[];
  readonly #entries: LoggedMessage[];
  readonly #turns: LoggedTurn[];
  readonly #file: AppendFile;
  readonly #held: Hold;
  readonly #now: () => number;
  readonly #newId: () => string;
  #head: string | null;
  #info: JsonObject;
  #isBegun: boolean;
  #open: OpenMessage | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(path: string, log: Log, file: AppendFile, held: Hold, options: JsonlOptions) {
    this.#now = options.now ?? Date.now;
    this.#newId = options.newId ?? randomUUID;
    this.path = path;
    this.id = log.id ?? this.#newId();
    this.createdAt = log.createdAt ?? this.#now();
    this.damage = log.damage;
    this.#entries = [...log.messages];
    this.#turns = [...log.turns];
    this.#file = file;
    this.#held = held;
    this.#head = log.head;
    this.#info = log.info;
    this.#isBegun = log.id !== undefined;
  }

  get head(): string | null {
    return this.#head;
  }
  get info(): JsonObject {
    return this.#info;
  }
  get entries(): readonly LoggedMessage[] {
    return this.#entries;
  }
  get turns(): readonly LoggedTurn[] {
    return this.#turns;
  }

  history(): History {
    return historyOf({ messages: this.#entries, head: this.#head });
  }

  append(message: Message): Promise<string> {
    return this.#inOrder(async () => {
      await this.#endOpen();
      const id = await this.#writeMessage(message, this.#head);
      await this.#file.sync();
      return id;
    });
  }

  appendPart(role: "assistant" | "tool", part: Part): Promise<string> {
    return this.#inOrder(async () => {
      checkMessage({ role, parts: [part] } as Message);
      if (this.#open !== undefined && this.#open.role !== role) await this.#endOpen();
      const id = this.#open?.id ?? this.#newId();
      const parent =
        this.#open === undefined ? this.#head : this.#entries[this.#open.position]!.parent;
      const at = this.#now();
      await this.#write({ type: "part", id, parent, at, role, part });
      if (this.#open === undefined) {
        this.#open = { id, position: this.#entries.length, role, parts: [] };
        this.#head = id;
      }
      this.#open.parts.push(part);
      const message = { role, parts: [...this.#open.parts] } as Message;
      this.#entries[this.#open.position] = { id, parent, at, message };
      return id;
    });
  }

  finish(message: Message): Promise<string> {
    return this.#inOrder(async () => {
      const id = await this.#finishOpen(message);
      await this.#file.sync();
      return id;
    });
  }

  save(history: History): Promise<void> {
    return this.#inOrder(async () => {
      const { entries, head } = history.toJSON();
      for (const [position, entry] of entries.entries()) await this.#saveEntry(entry, position);
      await this.#endOpen();
      const id = this.#entries[head]?.id ?? null;
      if (id !== this.#head) await this.#writeHead(id);
      await this.#file.sync();
    });
  }

  moveHead(id: string | null): Promise<void> {
    return this.#inOrder(async () => {
      if (id !== null && !this.#entries.some((entry) => entry.id === id)) {
        throw storeError("not_found", `There is no message ${id} in ${this.path}.`);
      }
      await this.#endOpen();
      await this.#writeHead(id);
      await this.#file.sync();
    });
  }

  setInfo(set: JsonObject): Promise<void> {
    return this.#inOrder(async () => {
      await this.#write({ type: "info", set });
      this.#info = { ...this.#info, ...set };
      await this.#file.sync();
    });
  }

  appendTurn(data: JsonObject): Promise<void> {
    return this.#inOrder(async () => {
      const turn = { message: this.#head, at: this.#now(), data };
      await this.#write({ type: "turn", ...turn });
      this.#turns.push(turn);
      await this.#file.sync();
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeNow();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #closeNow(): Promise<void> {
    await this.#last;
    try {
      await this.#file.close();
    } finally {
      await this.#held.release();
    }
  }

  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) {
      return Promise.reject(storeError("closed", `${this.path} is closed.`));
    }
    const next = this.#last.then(step);
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #write(record: LogRecord): Promise<void> {
    const line = encodeJson(record.type, record);
    if (!this.#isBegun) {
      const first = { type: "conversation", v: logVersion, id: this.id, at: this.createdAt };
      await this.#file.append(JSON.stringify(first));
      this.#isBegun = true;
    }
    await this.#file.append(line);
  }

  async #writeMessage(message: Message, parent: string | null): Promise<string> {
    checkMessage(message);
    const entry = { id: this.#newId(), parent, at: this.#now(), message };
    await this.#write({ type: "message", ...entry });
    this.#entries.push(entry);
    this.#head = entry.id;
    return entry.id;
  }

  async #writeHead(id: string | null): Promise<void> {
    await this.#write({ type: "head", id });
    this.#head = id;
  }

  async #saveEntry(entry: HistoryJson["entries"][number], position: number): Promise<void> {
    const known = this.#entries[position];
    if (known === undefined) {
      await this.#endOpen();
      await this.#writeMessage(entry.message, this.#entries[entry.parent]?.id ?? null);
    } else if (this.#open?.position === position) {
      await this.#finishOpen(entry.message);
    } else if (known.message !== entry.message && !isSame(known.message, entry.message)) {
      await this.#replace(known, position, entry.message);
    }
  }

  async #replace(known: LoggedMessage, position: number, message: Message): Promise<void> {
    checkMessage(message);
    const { id, parent, at } = known;
    await this.#write({ type: "message", id, parent, at, message });
    this.#entries[position] = { id, parent, at, message };
  }

  /** The parts are in the file already: when they are what the message has, only the rest is written. */
  async #finishOpen(message: Message): Promise<string> {
    const open = this.#open;
    if (open === undefined || open.role !== message.role) {
      await this.#endOpen();
      return this.#writeMessage(message, this.#head);
    }
    const { role: _role, parts, ...fields } = message;
    const known = this.#entries[open.position]!;
    if (isSame(open.parts, parts)) {
      await this.#write({ type: "end", id: open.id, fields: fields as JsonObject });
      this.#entries[open.position] = { ...known, message };
    } else {
      await this.#replace(known, open.position, message);
    }
    this.#open = undefined;
    return open.id;
  }

  async #endOpen(): Promise<void> {
    if (this.#open === undefined) return;
    await this.#write({ type: "end", id: this.#open.id, fields: {} });
    this.#open = undefined;
  }
}

const isForeign = (path: string): Error =>
  storeError(
    "foreign",
    `${path} is no conversation file, and stays as it is. Choose another name.`,
  );

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
