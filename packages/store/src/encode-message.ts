import { History, type JsonObject, type Message } from "mull";
import { checkDepth, encodeJson } from "./encode-json.ts";

/** A message in the form a row holds it: JSON texts that are safe to store. */
export interface EncodedMessage {
  readonly role: Message["role"];
  readonly parts: string;
  /** Its fields beside role and parts. */
  readonly fields: string;
}

/** Refuses what is no message, and what is nested too deep to be kept. */
export function checkMessage(message: Message): void {
  checkDepth("message", message);
  History.from([message]);
}

export function encodeMessage(message: Message): EncodedMessage {
  checkMessage(message);
  const { role, parts, ...fields } = message;
  const encoded = { parts: encodeJson("message", parts), fields: encodeJson("message", fields) };
  return { role, ...encoded };
}

export const decodeMessage = (row: EncodedMessage): Message =>
  ({
    ...(JSON.parse(row.fields) as JsonObject),
    role: row.role,
    parts: JSON.parse(row.parts) as unknown,
  }) as Message;
