import { History, type JsonObject, type Message, type Part } from "mull";
import { isJsonObject } from "mull/wire";

/** The version in the first line of a file. A newer one is refused, not half read. */
export const logVersion = 1;

/** One line of a conversation file. Lines are only ever added. */
export type LogRecord =
  | { readonly type: "conversation"; readonly v: number; readonly id: string; readonly at: number }
  /** A whole message. A later record with the same id replaces it. */
  | {
      readonly type: "message";
      readonly id: string;
      readonly parent: string | null;
      readonly at: number;
      readonly message: Message;
    }
  /** A finished part of a message that is still being made. */
  | {
      readonly type: "part";
      readonly id: string;
      readonly parent: string | null;
      readonly at: number;
      readonly role: Message["role"];
      readonly part: Part;
    }
  /**
   * Completes the message made of the parts above; `fields` are its fields besides role and parts.
   */
  | { readonly type: "end"; readonly id: string; readonly fields: JsonObject }
  | { readonly type: "head"; readonly id: string | null }
  /** This many records, or all up to `commit`, count together or not at all. */
  | { readonly type: "begin"; readonly records: number }
  | { readonly type: "commit" }
  /** Facts about the conversation: name, model. Later lines win, field by field. */
  | { readonly type: "info"; readonly set: JsonObject }
  /** Receipt and usage of the turn that ended at `message`. */
  | {
      readonly type: "turn";
      readonly message: string | null;
      readonly at: number;
      readonly data: JsonObject;
    };

type FieldCheck = (value: unknown) => boolean;
const isText: FieldCheck = (value) => typeof value === "string";
const isTextOrNull: FieldCheck = (value) => value === null || isText(value);
const isNumber: FieldCheck = (value) => typeof value === "number";

const fieldsOf = new Map<string, Readonly<Record<string, FieldCheck>>>([
  ["conversation", { v: isNumber, id: isText, at: isNumber }],
  ["message", { id: isText, parent: isTextOrNull, at: isNumber, message: isJsonObject }],
  ["part", { id: isText, parent: isTextOrNull, at: isNumber, role: isText, part: isJsonObject }],
  ["end", { id: isText, fields: isJsonObject }],
  ["head", { id: isTextOrNull }],
  ["begin", { records: isNumber }],
  ["commit", {}],
  ["info", { set: isJsonObject }],
  ["turn", { message: isTextOrNull, at: isNumber, data: isJsonObject }],
]);

/** The record on a line, or why there is none. */
export function parseRecord(line: string): LogRecord | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { fault: "not valid JSON" };
  }
  if (!isJsonObject(value)) return { fault: "no record" };
  const { type } = value;
  const fields = typeof type === "string" ? fieldsOf.get(type) : undefined;
  if (fields === undefined) return { fault: "an unknown kind of record" };
  for (const [name, isGood] of Object.entries(fields)) {
    if (!isGood(value[name])) return { fault: `a record whose field ${name} is missing or wrong` };
  }
  return checkMessages(value as LogRecord);
}

function checkMessages(record: LogRecord): LogRecord | { readonly fault: string } {
  if (record.type !== "message" && record.type !== "part") return record;
  const message =
    record.type === "message" ? record.message : { role: record.role, parts: [record.part] };
  try {
    History.from([message as Message]);
    return record;
  } catch (error) {
    return { fault: error instanceof Error ? error.message : "not a valid message" };
  }
}
