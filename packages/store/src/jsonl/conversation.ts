import { randomUUID } from "node:crypto";
import type { History, JsonObject, Message, Part } from "mull";
import { encodeJson } from "../encode-json.ts";
import type { Hold } from "../lock/held.ts";
import { hold } from "../lock/hold.ts";
import { storeError } from "../store-error.ts";
import { appendFile, openForAppend, type AppendFile, type OpenForAppend } from "./append-file.ts";
import { checkHead, LogChange, type ChangeOptions, type LogState } from "./log-change.ts";
import {
  historyOf,
  readJsonlConversation,
  type Damage,
  type LoggedMessage,
  type LoggedTurn,
} from "./read-conversation.ts";
import { logVersion, type LogRecord } from "./record.ts";

/** Settings of `jsonlConversation`. */
export interface JsonlOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly newId?: () => string;
  /** The file calls. Tests replace them. */
  readonly open?: OpenForAppend;
}

/**
 * One conversation in one append-only file, held by this process until `close`. Whatever a call
 * acknowledged survives `kill -9`; what `append`, `finish` and `save` acknowledged also survives a
 * power cut.
 */
export interface JsonlConversation extends AsyncDisposable {
  readonly path: string;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Id of the message the conversation continues from. */
  readonly head: string | null;
  /** The name, the model, and whatever else `setInfo` was given. */
  readonly info: JsonObject;
  /** All messages of all branches, in the order they were started. */
  readonly entries: readonly LoggedMessage[];
  readonly turns: readonly LoggedTurn[];
  /** Lines that couldn't be used when the file was opened. */
  readonly damage: readonly Damage[];
  /** Every branch, continued from the head. Its positions are positions in `entries`. */
  readonly history: () => History;
  /** Adds a whole message after the head. Returns its id. */
  readonly append: (message: Message) => Promise<string>;
  /** Adds a finished part to the open message; starts one if none of this role is open. */
  readonly appendPart: (role: "assistant" | "tool", part: Part) => Promise<string>;
  /** Completes the open message. Without open parts, the same as `append`. */
  readonly finish: (message: Message) => Promise<string>;
  /**
   * Brings the file up to a history that grew out of `history()`: new messages, branches, head. All
   * or none.
   */
  readonly save: (history: History) => Promise<void>;
  readonly moveHead: (id: string | null) => Promise<void>;
  /** Merged into `info`; a `null` stays as `null`. */
  readonly setInfo: (set: JsonObject) => Promise<void>;
  /** Receipt, usage and so on of the turn that ended at the head. */
  readonly appendTurn: (data: JsonObject) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens or starts a conversation file. Fails if another process has it open (and names that
 * process), or if it is a different kind of file.
 */
export async function jsonlConversation(
  path: string,
  options: JsonlOptions = {},
): Promise<JsonlConversation> {
  const held = await hold(path);
  try {
    const log = await readJsonlConversation(path);
    // The last line of a text file often has no newline; taken for a torn record, it would be cut
    // off.
    if (log.isForeign) throw isForeign(path);
    const file = appendFile(path, log, options.open ?? openForAppend);
    return new OpenConversation(path, log, file, held, options);
  } catch (error) {
    await held.release();
    throw error;
  }
}

type Log = Awaited<ReturnType<typeof readJsonlConversation>>;

class OpenConversation implements JsonlConversation {
  readonly path: string;
  readonly id: string;
  readonly createdAt: number;
  readonly damage: readonly Damage[];
  readonly #state: LogState;
  readonly #turns: LoggedTurn[];
  readonly #file: AppendFile;
  readonly #held: Hold;
  readonly #options: ChangeOptions;
  #info: JsonObject;
  #isBegun: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(path: string, log: Log, file: AppendFile, held: Hold, options: JsonlOptions) {
    this.#options = { now: options.now ?? Date.now, newId: options.newId ?? randomUUID };
    this.path = path;
    this.id = log.id ?? this.#options.newId();
    this.createdAt = log.createdAt ?? this.#options.now();
    this.damage = log.damage;
    this.#state = { entries: [...log.messages], head: log.head, open: undefined };
    this.#turns = [...log.turns];
    this.#file = file;
    this.#held = held;
    this.#info = log.info;
    this.#isBegun = log.id !== undefined;
  }

  get head(): string | null {
    return this.#state.head;
  }
  get info(): JsonObject {
    return this.#info;
  }
  get entries(): readonly LoggedMessage[] {
    return this.#state.entries;
  }
  get turns(): readonly LoggedTurn[] {
    return this.#turns;
  }

  history(): History {
    return historyOf({ messages: this.#state.entries, head: this.#state.head });
  }

  append(message: Message): Promise<string> {
    return this.#synced((change) => change.append(message));
  }

  appendPart(role: "assistant" | "tool", part: Part): Promise<string> {
    return this.#inOrder(() => this.#change((change) => change.appendPart(role, part)));
  }

  finish(message: Message): Promise<string> {
    return this.#synced((change) => change.finish(message));
  }

  save(history: History): Promise<void> {
    return this.#synced((change) => {
      const { entries, head } = history.toJSON();
      for (const [position, { parent, message }] of entries.entries()) {
        change.save(position, parent, message);
      }
      change.moveHead(change.idAt(head));
    });
  }

  moveHead(id: string | null): Promise<void> {
    return this.#synced((change) => {
      checkHead(this.#state, id, this.path);
      change.moveHead(id);
    });
  }

  setInfo(set: JsonObject): Promise<void> {
    return this.#inOrder(async () => {
      await this.#write([{ type: "info", set }]);
      this.#info = { ...this.#info, ...set };
      await this.#file.sync();
    });
  }

  appendTurn(data: JsonObject): Promise<void> {
    return this.#inOrder(async () => {
      const turn = { message: this.head, at: this.#options.now(), data };
      await this.#write([{ type: "turn", ...turn }]);
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

  #synced<T>(plan: (change: LogChange) => T): Promise<T> {
    return this.#inOrder(async () => {
      const result = await this.#change(plan);
      await this.#file.sync();
      return result;
    });
  }

  async #change<T>(plan: (change: LogChange) => T): Promise<T> {
    const change = new LogChange(this.#state, this.#options);
    const result = plan(change);
    await this.#write(change.records);
    change.apply();
    return result;
  }

  async #write(records: readonly LogRecord[]): Promise<void> {
    if (records.length === 0) return;
    const lines = asGroup(records).map((record) => encodeJson(record.type, record));
    if (!this.#isBegun) {
      const first = { type: "conversation", v: logVersion, id: this.id, at: this.createdAt };
      lines.unshift(JSON.stringify(first));
    }
    await this.#file.append(lines);
    this.#isBegun = true;
  }
}

/** A group of records counts together, or not at all. */
const asGroup = (records: readonly LogRecord[]): readonly LogRecord[] =>
  records.length === 1
    ? records
    : [{ type: "begin", records: records.length }, ...records, { type: "commit" }];

const isForeign = (path: string): Error =>
  storeError(
    "foreign",
    `${path} is not a conversation file, and stays as it is. Choose another name.`,
  );
