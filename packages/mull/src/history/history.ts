import { invalidArgument, MullError, requireFunction } from "../types/error.ts";
import { isJsonObject, type JsonObject, type MutableJsonObject } from "../types/json.ts";
import type { Message } from "../types/message.ts";
import { asText } from "../wire/common/json-reading.ts";
import { limits } from "../wire/common/limits.ts";
import { isTooDeep } from "../wire/common/tool-input.ts";

/** The version of the JSON that `History.toJSON` writes. `History.parse` reads this and every earlier one. */
export const historyVersion = 1;

/** One message in the tree of a conversation. A fork is two entries with one parent. */
export interface HistoryEntry {
  /** Position of the entry before it; -1 for the first message of a branch from the start. */
  readonly parent: number;
  readonly message: Message;
}

/** A history as JSON, as `History.toJSON` writes it and `History.parse` reads it. */
export interface HistoryJson {
  readonly version: typeof historyVersion;
  /** Position of the last message of the branch being continued; -1 when there is none. */
  readonly head: number;
  readonly entries: readonly HistoryEntry[];
}

/**
 * A conversation with all its branches. It is immutable and keeps everything, seals included;
 * `JSON.stringify(history)` and `History.parse` store and restore it.
 */
export class History {
  static readonly empty: History = new History([], -1);

  readonly #entries: readonly HistoryEntry[];
  readonly #head: number;
  #path: readonly Message[] | undefined;

  private constructor(entries: readonly HistoryEntry[], head: number) {
    if (typeof head !== "number") throw invalidArgument("History", entries, ways);
    this.#entries = entries;
    this.#head = head;
  }

  /** Makes a history without branches. Refuses a value that is not a message and names its place. */
  static from(messages: Iterable<Message>): History {
    return History.empty.#grow([...listOf(messages)]);
  }

  /** Reads what `toJSON` wrote: a JSON text or the value. Throws a `MullError` with the path of the fault. */
  static parse(source: string | HistoryJson | JsonObject): History {
    const value = typeof source === "string" ? parseJson(source) : source;
    const { entries, head } = migrate(value);
    if (!Array.isArray(entries)) throw fault("entries", "an array of entries");
    const checked = entries.map((entry: unknown, index) => checkEntry(entry, index));
    if (!Number.isInteger(head) || (head as number) < -1 || (head as number) >= checked.length) {
      throw fault("head", `a position from -1 to ${checked.length - 1}`);
    }
    return new History(checked, head as number);
  }

  /** The messages of the current branch, first to last. */
  get messages(): readonly Message[] {
    this.#path ??= this.#positions().map((position) => this.#entries[position]!.message);
    return this.#path;
  }

  get length(): number {
    return this.messages.length;
  }

  /** A new history with these messages at the end of the current branch. */
  append(...messages: readonly Message[]): History {
    return this.#grow(messages);
  }

  /** A new history that continues after the first `length` messages. The others stay as a branch. */
  fork(length: number): History {
    if (!Number.isInteger(length) || length < 0 || length > this.length) {
      throw invalidArgument("fork length", length, `0 to ${this.length}`);
    }
    return new History(this.#entries, this.#positions()[length - 1] ?? -1);
  }

  /** All branches, each as a history that continues it, in the order they were made. */
  branches(): readonly History[] {
    const parents = new Set(this.#entries.map((entry) => entry.parent));
    return this.#entries.flatMap((_, position) =>
      parents.has(position) ? [] : [new History(this.#entries, position)],
    );
  }

  /** A new history with `change` applied to every message of the current branch. */
  map(change: (message: Message, index: number) => Message): History {
    requireFunction("change", change);
    const entries = this.#entries.slice();
    this.#positions().forEach((position, index) => {
      const { parent, message } = entries[position]!;
      const changed = change(message, index);
      if (changed !== message) checkMessage(changed, `messages[${index}]`);
      entries[position] = { parent, message: changed };
    });
    return new History(entries, this.#head);
  }

  toJSON(): HistoryJson {
    return { version: historyVersion, head: this.#head, entries: this.#entries };
  }

  #grow(messages: readonly Message[]): History {
    const entries = this.#entries.slice();
    let head = this.#head;
    messages.forEach((message, index) => {
      checkMessage(message, `messages[${index}]`);
      entries.push({ parent: head, message });
      head = entries.length - 1;
    });
    // TypeScript 7.0 emits a class that breaks on load when a private method names its own class.
    const grown = new (this.constructor as typeof History)(entries, head);
    if (this.#path !== undefined) grown.#path = [...this.#path, ...messages];
    return grown;
  }

  #positions(): readonly number[] {
    const positions: number[] = [];
    for (let at = this.#head; at >= 0; at = this.#entries[at]!.parent) positions.push(at);
    return positions.toReversed();
  }
}

/** A private constructor is private to TypeScript only: `new History()` reaches it from JavaScript. */
const ways = "History.from(messages), History.parse(saved) or History.empty";

function listOf(messages: Iterable<Message>): Iterable<Message> {
  if (typeof messages === "object" && messages !== null && Symbol.iterator in messages)
    return messages;
  throw invalidArgument("messages", messages, "a list of messages; History.parse reads JSON");
}

function checkEntry(entry: unknown, index: number): HistoryEntry {
  const path = `entries[${index}]`;
  if (!isJsonObject(entry)) throw fault(path, "an entry");
  const { parent } = entry;
  if (typeof parent !== "number" || !Number.isInteger(parent) || parent < -1 || parent >= index) {
    throw fault(`${path}.parent`, `a position from -1 to ${index - 1}`);
  }
  checkMessage(entry["message"], `${path}.message`);
  return entry as unknown as HistoryEntry;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MullError(
      "history: the text is not valid JSON. It may have been cut; restore it from a copy.",
      { category: "invalid_argument", code: "invalid_history", field: "history" },
      { cause },
    );
  }
}

/** Steps from one version to the next, append only. `steps[0]` reads version 0, a bare message list. */
const steps: readonly ((value: MutableJsonObject) => MutableJsonObject)[] = [
  ({ messages }) => ({
    version: 1,
    head: Array.isArray(messages) ? messages.length - 1 : -1,
    entries: Array.isArray(messages)
      ? messages.map((message, index) => ({ parent: index - 1, message }))
      : [],
  }),
];

/** Brings a stored history to the current version. Refuses a newer one. */
function migrate(value: unknown): JsonObject {
  const start = Array.isArray(value) ? { version: 0, messages: value } : value;
  if (!isJsonObject(start))
    throw refuse("history: neither a history object nor a list of messages");
  const version = start["version"];
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0) {
    throw refuse(`history: version ${JSON.stringify(version)} is not a version number`);
  }
  if (version > historyVersion) {
    throw refuse(
      `history: version ${version} is newer than this mull reads (up to ${historyVersion}). Update mull.`,
    );
  }
  return steps.slice(version).reduce<JsonObject>((older, step) => step({ ...older }), start);
}

const refuse = (message: string): MullError =>
  new MullError(message, {
    category: "invalid_argument",
    code: "invalid_history",
    field: "version",
  });

/** What a field must be, and how an error says so. */
interface FieldRule {
  readonly isGood: (value: unknown) => boolean;
  readonly words: string;
}

const isText = (value: unknown): boolean => typeof value === "string";
const text: FieldRule = { isGood: isText, words: "a string" };
const given: FieldRule = { isGood: (value) => value !== undefined, words: "given" };
const object: FieldRule = { isGood: isJsonObject, words: "an object" };
const output: FieldRule = {
  isGood: (value) => isText(value) || Array.isArray(value),
  words: "a string or a list of parts",
};
const source: FieldRule = {
  isGood: (value) =>
    isJsonObject(value) &&
    ((value["type"] === "base64" && isText(value["data"])) ||
      (value["type"] === "url" && isText(value["url"])) ||
      (value["type"] === "id" && isText(value["id"]))),
  words: 'an object with type "base64" and data, "url" and url, or "id" and id',
};

/** The fields a part must have. Fields not named here are kept as they are. */
const requiredFields: ReadonlyMap<string, Readonly<Record<string, FieldRule>>> = new Map([
  ["text", { text }],
  ["thinking", { text, visibility: text }],
  ["tool-call", { id: text, name: text, input: given }],
  ["tool-result", { callId: text, name: text, output }],
  ["file", { mediaType: text, source }],
  ["opaque", { wire: text, kind: text, data: object }],
]);

const allowedParts: ReadonlyMap<string, readonly string[]> = new Map([
  ["system", ["text", "opaque"]],
  ["user", ["text", "file", "opaque"]],
  ["assistant", ["text", "thinking", "tool-call", "file", "opaque"]],
  ["tool", ["tool-result"]],
]);

/** Refuses a value that is not a message; the `MullError` names the path of the first fault. */
export function checkMessage(value: unknown, path: string): asserts value is Message {
  if (!isJsonObject(value)) throw fault(path, "a message with role and parts");
  const allowed = allowedParts.get(asText(value["role"]));
  if (allowed === undefined) throw fault(`${path}.role`, [...allowedParts.keys()].join(", "));
  const { parts } = value;
  if (!Array.isArray(parts))
    throw fault(`${path}.parts`, 'a list of parts, such as { type: "text", text }');
  parts.forEach((part: unknown, index) => checkPart(part, allowed, `${path}.parts[${index}]`));
}

function checkPart(part: unknown, allowed: readonly string[], path: string): void {
  if (!isJsonObject(part)) throw fault(path, "a part");
  const type = asText(part["type"]);
  const fields = allowed.includes(type) ? requiredFields.get(type) : undefined;
  if (fields === undefined) throw fault(`${path}.type`, `one of ${allowed.join(", ")}`);
  for (const [name, { isGood, words }] of Object.entries(fields)) {
    if (!isGood(part[name])) throw fault(`${path}.${name}`, `${words}, as a ${type} part needs`);
  }
  const { seal } = part;
  if (seal !== undefined && !isSeal(seal))
    throw fault(`${path}.seal`, "a seal with origin and data");
  if (type === "tool-result" && Array.isArray(part["output"])) {
    part["output"].forEach((inner: unknown, index) =>
      checkPart(inner, ["text", "file"], `${path}.output[${index}]`),
    );
  }
  const mayNest = type === "tool-call" || type === "opaque" || part["extra"] !== undefined;
  if ((mayNest || seal !== undefined) && isTooDeep(part, limits.jsonDepth + 1)) {
    throw fault(path, `nested at most ${limits.jsonDepth} levels deep`);
  }
}

const isSeal = (seal: unknown): boolean =>
  isJsonObject(seal) && isJsonObject(seal["data"]) && isOrigin(seal["origin"]);

const isOrigin = (origin: unknown): boolean =>
  isJsonObject(origin) && ["wire", "provider", "model"].every((name) => isText(origin[name]));

/** The error for a stored history that is not one: what is wrong, and where. */
const fault = (path: string, expected: string): MullError =>
  new MullError(`history: ${path} is not ${expected}`, {
    category: "invalid_argument",
    code: "invalid_history",
    field: path,
  });
