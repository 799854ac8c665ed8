import type { JsonObject, Message, Part } from "mull";
import { checkMessage } from "../encode-message.ts";
import { storeError } from "../store-error.ts";
import type { LoggedMessage } from "./read-conversation.ts";
import type { LogRecord } from "./record.ts";

/** A message that is being written, part by part. */
interface OpenMessage {
  readonly id: string;
  readonly position: number;
  readonly role: Message["role"];
  readonly parts: readonly Part[];
}

/** What a conversation file says of its messages. */
export interface LogState {
  readonly entries: LoggedMessage[];
  head: string | null;
  open: OpenMessage | undefined;
}

export interface ChangeOptions {
  readonly now: () => number;
  readonly newId: () => string;
}

/** Works out which records a change needs. The state stays as it is until they are written. */
export class LogChange {
  readonly records: LogRecord[] = [];
  readonly #state: LogState;
  readonly #options: ChangeOptions;
  /** By position, in the order of positions if they are new. */
  readonly #entries = new Map<number, LoggedMessage>();
  #length: number;
  #head: string | null;
  #open: OpenMessage | undefined;

  constructor(state: LogState, options: ChangeOptions) {
    this.#state = state;
    this.#options = options;
    this.#length = state.entries.length;
    this.#head = state.head;
    this.#open = state.open;
  }

  /** Called once its records are written. */
  apply(): void {
    for (const [position, entry] of this.#entries) this.#state.entries[position] = entry;
    this.#state.head = this.#head;
    this.#state.open = this.#open;
  }

  /** A whole message after `parent`; after the head when left out. */
  append(message: Message, parent: string | null = this.#head): string {
    this.endOpen();
    checkMessage(message);
    const entry = { id: this.#options.newId(), parent, at: this.#options.now(), message };
    this.records.push({ type: "message", ...entry });
    this.#entries.set(this.#length, entry);
    this.#length += 1;
    this.#head = entry.id;
    return entry.id;
  }

  appendPart(role: "assistant" | "tool", part: Part): string {
    checkMessage({ role, parts: [part] } as Message);
    if (this.#open !== undefined && this.#open.role !== role) this.endOpen();
    const open = this.#open ?? this.#begin(role);
    const parent = this.#open === undefined ? this.#head : this.#entryAt(open.position)!.parent;
    const at = this.#options.now();
    this.records.push({ type: "part", id: open.id, parent, at, role, part });
    const parts = [...open.parts, part];
    this.#open = { ...open, parts };
    this.#head = open.id;
    this.#length = Math.max(this.#length, open.position + 1);
    const message = { role, parts } as Message;
    this.#entries.set(open.position, { id: open.id, parent, at, message });
    return open.id;
  }

  /** The parts are in the file already: if they match the message, only the rest is written. */
  finish(message: Message): string {
    const open = this.#open;
    if (open === undefined || open.role !== message.role) return this.append(message);
    const { role: _role, parts, ...fields } = message;
    if (isSame(open.parts, parts)) {
      this.records.push({ type: "end", id: open.id, fields: fields as JsonObject });
      this.#entries.set(open.position, { ...this.#entryAt(open.position)!, message });
    } else {
      this.#replace(open.position, message);
    }
    this.#open = undefined;
    return open.id;
  }

  /** The message at `position` of a history, after the one at `parent`. */
  save(position: number, parent: number, message: Message): void {
    const known = this.#entryAt(position);
    if (known === undefined) {
      this.append(message, this.idAt(parent));
    } else if (this.#open?.position === position) {
      this.finish(message);
    } else if (known.message !== message && !isSame(known.message, message)) {
      this.#replace(position, message);
    }
  }

  moveHead(id: string | null): void {
    this.endOpen();
    if (id === this.#head) return;
    this.records.push({ type: "head", id });
    this.#head = id;
  }

  endOpen(): void {
    if (this.#open === undefined) return;
    this.records.push({ type: "end", id: this.#open.id, fields: {} });
    this.#open = undefined;
  }

  idAt(position: number): string | null {
    return this.#entryAt(position)?.id ?? null;
  }

  #begin(role: Message["role"]): OpenMessage {
    return { id: this.#options.newId(), position: this.#length, role, parts: [] };
  }

  #entryAt(position: number): LoggedMessage | undefined {
    return this.#entries.get(position) ?? this.#state.entries[position];
  }

  #replace(position: number, message: Message): void {
    checkMessage(message);
    const entry = { ...this.#entryAt(position)!, message };
    this.records.push({ type: "message", ...entry });
    this.#entries.set(position, entry);
  }
}

/** Refuses a head that isn't one of the messages. */
export function checkHead(state: LogState, id: string | null, path: string): void {
  if (id === null || state.entries.some((entry) => entry.id === id)) return;
  throw storeError("not_found", `There is no message ${id} in ${path}.`);
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
