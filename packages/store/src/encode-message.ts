import { History, isMullError, type JsonValue, type Message } from "mull";
import { isJsonObject } from "mull/wire";
import { checkDepth, encodeShallow } from "./encode-json.ts";
import type { Unreadable } from "./store.ts";

/** A message in the form a row holds it: JSON texts that are safe to store. */
export interface EncodedMessage {
  readonly role: Message["role"];
  readonly parts: string;
  /** Its fields besides role and parts. */
  readonly fields: string;
}

/** Refuses values that aren't messages or are nested too deep to store. */
export function checkMessage(message: Message): void {
  checkDepth("message", message);
  History.from([message]);
}

export function encodeMessage(message: Message): EncodedMessage {
  checkMessage(message);
  const { role, parts, ...fields } = message;
  return {
    role,
    parts: encodeShallow("message", parts),
    fields: encodeShallow("message", fields),
  };
}

export interface DecodedMessage {
  /** The fields of a row that belong to the message. */
  readonly message: Message;
  readonly unreadable?: readonly Unreadable[];
}

/**
 * A row that somebody edited by hand, or another program wrote, is read as far as it is a message.
 */
export function decodeMessage(row: EncodedMessage): DecodedMessage {
  const fields = JSON.parse(row.fields) as JsonValue;
  const parts = JSON.parse(row.parts) as JsonValue;
  const whole: object = { ...(isJsonObject(fields) && fields), role: row.role, parts };
  if (isJsonObject(fields) && isMessage(whole)) return { message: whole };
  const list = Array.isArray(parts) ? (parts as readonly JsonValue[]) : [];
  const faults = list.map((part) => whyNoMessage({ role: row.role, parts: [part] }));
  const unreadable: Unreadable[] = [];
  if (!isJsonObject(fields)) {
    unreadable.push({ path: "fields", message: "fields is not an object", value: fields });
  }
  if (!Array.isArray(parts)) {
    unreadable.push({ path: "parts", message: "parts is not a list of parts", value: parts });
  }
  for (const [index, fault] of faults.entries()) {
    if (fault === undefined) continue;
    const path = fault.path.replace("parts[0]", `parts[${index}]`);
    unreadable.push({ path, message: `${path} ${fault.what}`, value: list[index]! });
  }
  const kept = list.filter((_, index) => faults[index] === undefined);
  const readable: object = { ...whole, parts: kept };
  return { message: readable as Message, unreadable };
}

/** Where and why a value isn't a message; `undefined` if it is one. */
function whyNoMessage(
  value: unknown,
): { readonly path: string; readonly what: string } | undefined {
  try {
    History.from([value as Message]);
    return undefined;
  } catch (error) {
    if (!isMullError(error)) throw error;
    const path = (error.field ?? "").replace(/^messages\[0\]\.?/, "");
    return { path, what: error.message.replace(/^history: \S+ /, "") };
  }
}

export const isMessage = (value: unknown): value is Message => whyNoMessage(value) === undefined;
