import { hash } from "node:crypto";
import { isMullError, MullError, type Message, type UserMessage, type UserPart } from "mull";
import type { Conversation, Store, Turn } from "@mull/store";
import { noSuch } from "../http/refusals.ts";
import { badRequest, text } from "../http/shape.ts";

const ours = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const theirs = /^[\w-]{1,64}$/;

/**
 * The server's own ids are UUIDs. AI SDK clients make up names; such a name belongs to its user,
 * and means another conversation for another user. So it reveals nothing about what exists.
 */
export function conversationIdFor(userId: string, given: string): string {
  if (ours.test(given)) return given;
  if (!theirs.test(given)) throw noSuch("conversation");
  const hex = hash("sha256", `${userId}\n${given}`);
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${a}-${b}-${c}-${d}-${hex.slice(20, 32)}`;
}

/** A conversation as a send finds it. `isNew`: its first turn creates it. */
export interface SentTo extends Pick<Conversation, "id" | "title" | "info" | "head"> {
  readonly isNew?: true;
  /** Without their receipts. */
  readonly turns: readonly Turn[];
}

/** Asks for conversation and turns at the same time: the first byte of an answer waits for both. */
export async function findConversation(store: Store, userId: string, id: string): Promise<SentTo> {
  const turns = store.listTurns(userId, id, { isBrief: true });
  // What is wrong with the conversation is said once, below.
  turns.catch(() => undefined);
  const { title, info, head } = await store.getConversation(userId, id);
  return { id, title, info, head, turns: head === null ? [] : await turns };
}

/** A conversation that an AI SDK client named is created with its first question. */
export async function openConversation(
  store: Store,
  userId: string,
  given: string,
  first: () => Pick<Conversation, "title" | "info">,
  isLikelyNew: boolean,
): Promise<SentTo> {
  const id = conversationIdFor(userId, given);
  const find = (): Promise<SentTo> => findConversation(store, userId, id);
  if (id === given) return find();
  const makeUp = async (): Promise<SentTo> => ({
    id,
    ...first(),
    head: null,
    isNew: true,
    turns: [],
  });
  return isLikelyNew ? makeUp() : find().catch(after("not_found", makeUp));
}

/**
 * How to recover from one kind of failure. Any other, such as a full disk, is reported as it is.
 */
export const after =
  <T>(code: string, next: () => Promise<T>) =>
  (error: unknown): Promise<T> => {
    if (isMullError(error) && error.code === code) return next();
    throw error;
  };

const longestTitle = 80;

/** The beginning of the first question, or the name of its file if it has no words. */
export function titleOf(messages: readonly Message[]): string {
  const first = messages.find((message) => message.role === "user");
  const said = first?.parts.find((part) => part.type === "text");
  const file = first?.parts.find((part) => part.type === "file");
  // Looks only at the beginning, because a question may have megabytes.
  const start = (said?.text || file?.name || "").trimStart().slice(0, longestTitle * 10);
  const line = start.replaceAll(/\s+/g, " ").trim();
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1).trimEnd()}…` : line;
}

const longestText = 1_000_000;
const words = text({ max: longestText });
/** Half of an emoji, cut somewhere on its way: no service takes it, so the turn would fail. */
const halfCharacter = /\p{Surrogate}/gu;
const mediaType = text({
  min: 3,
  max: 100,
  pattern: /^[\w.+-]+\/[\w.+-]+$/,
  words: "a media type such as image/png",
});
const fileName = text({ max: 255 });

type QuestionFields = Readonly<Record<string, unknown>>;

/**
 * Reads a question from a UI message, field by field, and drops everything else that a client adds.
 * Files come as data: with an address, the service would fetch it with our key, or from our
 * network.
 */
export function readQuestion(message: QuestionFields): UserMessage {
  if (message["role"] !== "user") throw badRequest("message.role", "user");
  const parts = message["parts"];
  if (!Array.isArray(parts) || parts.length > 100) {
    throw badRequest("message.parts", "a list of at most 100 parts");
  }
  const read = parts.flatMap((part: unknown, index) => readPart(part, `message.parts[${index}]`));
  if (!read.some((part) => part.type !== "text" || part.text.trim() !== "")) {
    throw badRequest("message.parts", "a text or a file");
  }
  return { role: "user", parts: read };
}

function readPart(part: unknown, field: string): readonly UserPart[] {
  if (typeof part !== "object" || part === null) throw badRequest(field, "a part");
  const given = part as QuestionFields;
  if (given["type"] === "text") {
    const said = given["text"];
    // The person pasted this, so the error doesn't talk about fields.
    if (typeof said === "string" && said.length > longestText) throw tooLong(said.length, field);
    const whole = words.read(said, `${field}.text`).replace(halfCharacter, "\uFFFD");
    return [{ type: "text", text: whole }];
  }
  if (given["type"] !== "file") throw badRequest(`${field}.type`, "text or file");
  const name = given["filename"];
  return [
    {
      type: "file",
      mediaType: mediaType.read(given["mediaType"], `${field}.mediaType`),
      source: { type: "base64", data: readData(given["url"], `${field}.url`) },
      ...(name !== undefined && { name: fileName.read(name, `${field}.filename`) }),
    },
  ];
}

const tooLong = (length: number, field: string): MullError => {
  const [has, most] = [length, longestText].map((count) => count.toLocaleString("en-US"));
  return new MullError(
    `The message has ${has} characters; ${most} is the most. Shorten it, or ask in parts.`,
    { category: "invalid_argument", status: 413, code: "message_too_long", field: `${field}.text` },
  );
};

function readData(url: unknown, field: string): string {
  const start = typeof url === "string" && url.startsWith("data:") ? url.indexOf(";base64,") : -1;
  if (typeof url !== "string" || start < 0 || start > 200) {
    throw badRequest(field, "a data: address in base64; other addresses are not fetched");
  }
  const data = url.slice(start + ";base64,".length);
  if (!/^[\w+/-]*={0,2}$/.test(data)) throw badRequest(field, "valid base64");
  return data;
}
