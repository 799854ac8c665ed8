import { parseModelRef, type Message } from "mull";

import { describeQuestion } from "../ask/file-part.ts";
import { answerFromJson, sharesOf, type Share } from "../repl/answer.ts";
import type { ConversationFile } from "./folder.ts";
import { pathOf } from "./path-of.ts";

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

/** What one turn used. */
export interface TurnCost {
  /** Each model's part; one model has one. */
  readonly shares: readonly Pick<Share, "model" | "usage" | "cost">[];
  readonly isCut: boolean;
  readonly isSimulated: boolean;
}

export async function readSummary(file: ConversationFile): Promise<Summary> {
  const { readJsonlConversation } = await import("@mull/store/jsonl");
  const log = await readJsonlConversation(file.path);
  const path = pathOf(log);
  const question = log.messages.map(({ message }) => message).find(({ role }) => role === "user");
  const ids = new Set(path.map(({ id }) => id));
  const given = log.info["name"];
  const model = log.info["model"];
  return {
    name: file.name,
    id: log.id ?? null,
    title: typeof given === "string" ? given : titleOf(question),
    messages: path.length,
    turns: log.turns.filter(({ message }) => message !== null && ids.has(message)).length,
    model: typeof model === "string" ? idOf(model) : null,
    changedAt: new Date(file.changedAt).toISOString(),
    damage: log.damage.length,
  };
}

const titleOf = (question: Message | undefined): string =>
  question?.role === "user" ? describeQuestion(question.parts).replaceAll(/\s+/g, " ").trim() : "";

/** Lists show only the model; provider and level are kept for continuing. */
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
  // A fork repeats the answers it began with; they count where they were given.
  const own = turns.filter(({ data }) => data["isCopied"] !== true);
  return own.map(({ data }) => {
    const answer = answerFromJson(data, 0, 0);
    return {
      shares: answer === undefined ? [{ model: "unknown", usage: {} }] : sharesOf(answer),
      isCut: answer?.cut !== undefined,
      isSimulated: answer?.receipts.at(-1)?.simulated === true,
    };
  });
}
