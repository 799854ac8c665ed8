import { addCost, parseModelRef, type Cost, type JsonObject, type Message, type Usage } from "mull";

import { describeQuestion } from "../ask/file-part.ts";
import type { ConversationFile } from "./folder.ts";

/** One conversation as a list shows it. */
export interface Summary {
  readonly name: string;
  readonly id: string | null;
  readonly title: string;
  readonly messages: number;
  readonly turns: number;
  readonly model: string | null;
  readonly changedAt: string;
  /** Lines of the file that could not be used. */
  readonly damage: number;
}

/** What one turn took. */
export interface TurnCost {
  readonly at: number;
  readonly model: string;
  readonly usage: Usage;
  readonly cost?: Cost;
  readonly isSimulated: boolean;
}

export async function readSummary(file: ConversationFile): Promise<Summary> {
  const { readJsonlConversation } = await import("@mull/store/jsonl");
  const log = await readJsonlConversation(file.path);
  const question = log.messages.map(({ message }) => message).find(({ role }) => role === "user");
  const given = log.info["name"];
  const model = log.info["model"];
  return {
    name: file.name,
    id: log.id ?? null,
    title: typeof given === "string" ? given : titleOf(question),
    messages: log.messages.length,
    turns: log.turns.length,
    model: typeof model === "string" ? idOf(model) : null,
    changedAt: new Date(file.changedAt).toISOString(),
    damage: log.damage.length,
  };
}

const titleOf = (question: Message | undefined): string =>
  question?.role === "user" ? describeQuestion(question.parts).replaceAll(/\s+/g, " ").trim() : "";

/** Lists name the model alone; provider and level are kept beside it to go on with. */
const idOf = (ref: string): string => {
  try {
    return parseModelRef(ref).name;
  } catch {
    return ref;
  }
};

export async function readTurns(file: ConversationFile): Promise<readonly TurnCost[]> {
  const { readJsonlConversation } = await import("@mull/store/jsonl");
  const { turns } = await readJsonlConversation(file.path);
  // A fork repeats the answers it began with; they are paid for where they were given.
  const own = turns.filter(({ data }) => data["isCopied"] !== true);
  return own.map(({ at, data }) => ({
    at,
    model: typeof data["model"] === "string" ? data["model"] : "unknown",
    usage: objectIn(data, "usage") as Usage,
    ...(data["cost"] !== undefined && { cost: data["cost"] as unknown as Cost }),
    isSimulated: objectIn(data, "receipt")["simulated"] === true,
  }));
}

const objectIn = (data: JsonObject, field: string): JsonObject => {
  const value = data[field];
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
};

export const sumCost = (turns: readonly TurnCost[]): Cost | undefined =>
  turns
    .flatMap(({ cost }) => (cost === undefined ? [] : [cost]))
    .reduce<Cost | undefined>(
      (sum, cost) => (sum === undefined ? cost : addCost(sum, cost)),
      undefined,
    );
