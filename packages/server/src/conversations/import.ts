import {
  History,
  isMullError,
  MullError,
  type HistoryEntry,
  type JsonObject,
  type Message,
  type Part,
} from "mull";
import { historyVersion } from "mull/wire";
import type { StoredMessage } from "@mull/store";
import type { LoopShare, Times } from "@mull/store/parts";
import { fromUIMessages, type UIMessage } from "@mull/ui-messages";
import { badRequest } from "../http/shape.ts";
import { exportHistory, type Exported, type StoredFacts } from "./export.ts";

export interface Imported {
  /** All branches. */
  readonly history: History;
  /** When each message was made, if known. */
  readonly times: Times;
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

type ImportedFields = Readonly<Record<string, unknown>>;

/** Everything as it is stored, in a form that can be stored again. */
export const readRaw = (conversation: object, messages: readonly object[]): Exported =>
  refusing(() =>
    exportHistory(
      { head: null, info: {}, ...conversation } as StoredFacts,
      messages as readonly StoredMessage[],
    ),
  );

interface GivenImport {
  readonly history?: ImportedFields;
  readonly messages?: readonly ImportedFields[];
  readonly problems?: readonly unknown[];
}

/** Reading more messages than this at once would hold others up. */
const askEvery = 1000;

/** Reads a history or UI messages. Leaves out parts that would make somebody fetch an address. */
export async function readImport(given: GivenImport, loop: LoopShare): Promise<Imported> {
  await loop.take();
  const { history, times } = readHistory(given);
  const { head, entries } = history.toJSON();
  const lost = given.problems?.length ?? 0;
  const notes = lost === 0 ? [] : [`${lost} that could not be read: left out when it was exported`];
  const kept: HistoryEntry[] = [];
  const keptTimes: (number | undefined)[] = [];
  /** Where each entry went. An entry that was left out points to the one before it. */
  const places: number[] = [];
  const placeOf = (position: number): number => places[position] ?? -1;
  for (const [index, { parent, message }] of entries.entries()) {
    if (index % askEvery === 0) await loop.take();
    const parts = message.parts.filter((part: Part) => {
      const reason = whyNot(part, message.role);
      if (reason !== undefined) notes.push(`message ${index}: ${reason}`);
      return reason === undefined;
    });
    const isWhole = parts.length === message.parts.length;
    if (!isWhole && parts.length === 0) places.push(placeOf(parent));
    else {
      const rest = isWhole ? message : ({ ...message, parts } as Message);
      places.push(kept.push({ parent: placeOf(parent), message: rest }) - 1);
      keptTimes.push(times[index]);
    }
  }
  await loop.take();
  const left = { version: historyVersion, head: placeOf(head), entries: kept } as const;
  return { history: History.parse(left), times: keptTimes, notes };
}

function readHistory({ history, messages }: GivenImport): Pick<Imported, "history" | "times"> {
  if ((history === undefined) === (messages === undefined)) {
    throw badRequest("body", "either history or messages");
  }
  return refusing(() => {
    if (history !== undefined) {
      const read = History.parse(history as JsonObject);
      return { history: read, times: read.toJSON().entries.map(readTime) };
    }
    const made = (messages ?? []).flatMap((message, index) => {
      if (!isUIMessage(message)) throw badRequest(`messages[${index}]`, "a UI message with parts");
      const time = readTime(message) ?? readTime(message.metadata);
      return fromUIMessages([message]).map((each) => ({ message: each, time }));
    });
    return {
      history: History.from(made.map(({ message }) => message)),
      times: made.map(({ time }) => time),
    };
  });
}

/** When something was made, if it says so: in milliseconds, or as a JSON date. */
function readTime(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("createdAt" in value)) return undefined;
  const { createdAt } = value;
  const time = typeof createdAt === "string" ? Date.parse(createdAt) : createdAt;
  return typeof time === "number" && time >= 0 && Number.isFinite(time)
    ? Math.floor(time)
    : undefined;
}

/** Anything that isn't a conversation is refused, however the reader fails on it. */
function refusing<T>(read: () => T): T {
  try {
    return read();
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
