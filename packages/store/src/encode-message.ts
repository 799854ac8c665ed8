import { History, type JsonObject, type Message } from "mull";
import { encodeJson } from "./encode-json.ts";

/** A message in the form a row holds it: JSON texts that are safe to store. */
export interface EncodedMessage {
  readonly role: Message["role"];
  readonly parts: string;
  /** Its fields beside role and parts. */
  readonly fields: string;
}

export function encodeMessage(message: Message): EncodedMessage {
  const { role, parts, ...fields } = message;
  const encoded = { parts: encodeJson("message", parts), fields: encodeJson("message", fields) };
  History.from([message]);
  return { role, ...encoded };
}

export const decodeMessage = (row: EncodedMessage): Message =>
  ({
    ...(JSON.parse(row.fields) as JsonObject),
    role: row.role,
    parts: JSON.parse(row.parts) as unknown,
  }) as Message;
