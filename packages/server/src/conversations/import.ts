import { History, isMullError, MullError, type JsonObject, type Message, type Part } from "mull";
import { fromUIMessages, type UIMessage } from "@mull/ui-messages";
import { badRequest } from "../http/shape.ts";

export interface Imported {
  readonly messages: readonly Message[];
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

/** Reads a history, or UI messages. What would make somebody fetch an address is left out. */
export function readImport(given: {
  readonly history?: Readonly<Record<string, unknown>>;
  readonly messages?: readonly Readonly<Record<string, unknown>>[];
}): Imported {
  const messages = readMessages(given);
  const notes: string[] = [];
  const kept = messages.flatMap((message, index): readonly Message[] => {
    const parts = message.parts.filter((part: Part) => {
      const reason = whyNot(part, message.role);
      if (reason !== undefined) notes.push(`message ${index}: ${reason}`);
      return reason === undefined;
    });
    if (parts.length === message.parts.length) return [message];
    return parts.length === 0 ? [] : [{ ...message, parts } as Message];
  });
  return { messages: kept, notes };
}

function readMessages({ history, messages }: Parameters<typeof readImport>[0]): readonly Message[] {
  if ((history === undefined) === (messages === undefined)) {
    throw badRequest("body", "either history or messages");
  }
  try {
    if (history !== undefined) return History.parse(history as JsonObject).messages;
    const shaped = (messages ?? []).map((message, index) => {
      if (!isUIMessage(message)) throw badRequest(`messages[${index}]`, "a UI message with parts");
      return message;
    });
    return History.from(fromUIMessages(shaped)).messages;
  } catch (error) {
    if (isMullError(error)) throw error;
    throw new MullError("The conversation cannot be read.", {
      category: "invalid_argument",
      status: 400,
      code: "invalid_history",
    });
  }
}

const roles: ReadonlySet<unknown> = new Set(["user", "assistant", "system"]);

const isUIMessage = (value: unknown): value is UIMessage =>
  typeof value === "object" &&
  value !== null &&
  "role" in value &&
  roles.has(value.role) &&
  "parts" in value &&
  Array.isArray(value.parts) &&
  value.parts.every((part: unknown) => typeof part === "object" && part !== null && "type" in part);

function whyNot(part: Part, role: Message["role"]): string | undefined {
  if (part.type === "file" && part.source.type === "url") {
    return "a file given by its address was left out";
  }
  if (part.type === "opaque" && role !== "assistant") {
    return `a ${part.kind} block, which only a service makes, was left out`;
  }
  return undefined;
}
