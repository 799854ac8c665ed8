import { rm } from "node:fs/promises";

import { isMullError, type AgentEvent, type History, type UserPart } from "mull";
import { plural } from "mull/wire";
import type { JsonlConversation } from "@mull/store/jsonl";

import { findConversation, nameOfPath, newConversationPath } from "../conversations/folder.ts";
import { UsageError } from "../frame/usage-error.ts";
import { answerToJson, type LedgerEntry } from "../repl/answer.ts";
import { fileTrouble } from "../wire-tools/input.ts";

/** Stores a conversation block by block. If it cannot, it says so once, and the answer goes on. */
export interface Saver {
  /** `null` when it is not kept. */
  readonly name: string | null;
  readonly history: History | undefined;
  readonly begin: (parts: readonly UserPart[]) => Promise<void>;
  readonly event: (event: AgentEvent) => Promise<void>;
  /**
   * `answer`: what the turn used, if anything. Returns the name of the conversation, unless
   * nothing was answered: such a question leaves no conversation.
   */
  readonly end: (history: History, answer: LedgerEntry | undefined) => Promise<string | null>;
}

export interface SaverOptions {
  readonly folder: string;
  /** Go on with this one; an empty name is the last one. */
  readonly resume?: string;
  readonly save: boolean;
  /** Model with provider and level, used when the conversation continues. */
  readonly ref: string;
  readonly warn: (message: string) => void;
}

export async function openSaver(options: SaverOptions): Promise<Saver> {
  const file =
    options.resume === undefined
      ? undefined
      : await findConversation(options.folder, options.resume || undefined);
  if (!options.save) return unsaved(file?.path, options);
  const path = file?.path ?? newConversationPath(options.folder);
  const { jsonlConversation } = await import("@mull/store/jsonl");
  try {
    const conversation = await jsonlConversation(path);
    warnOfDamage(conversation, options);
    return fileSaver(conversation, file === undefined, options);
  } catch (error) {
    // A named conversation must exist. Keeping a new one is only a convenience.
    if (file !== undefined && !isFull(error))
      throw new UsageError(`Cannot continue ${file.name}: ${trouble(error)}`);
    options.warn(`This conversation is not saved: ${options.folder}: ${trouble(error)}`);
    return unsaved(file?.path, options);
  }
}

const isFull = (error: unknown): boolean => isMullError(error) && error.code === "full";

const warnOfDamage = (
  { damage }: { readonly damage: readonly unknown[] },
  { warn }: SaverOptions,
): void => {
  if (damage.length > 0)
    warn(`${plural(damage.length, "line")} of the file could not be read; the rest is sent.`);
};

/** The model and level a conversation was last asked with, as a ref. */
export async function resumedRef(folder: string, resume: string): Promise<string | undefined> {
  const { path } = await findConversation(folder, resume || undefined);
  const { readJsonlConversation } = await import("@mull/store/jsonl");
  const { model } = (await readJsonlConversation(path)).info;
  return typeof model === "string" ? model : undefined;
}

const nothing = (): Promise<void> => Promise.resolve();
const unnamed = (): Promise<null> => Promise.resolve(null);

async function unsaved(path: string | undefined, options: SaverOptions): Promise<Saver> {
  const history = path === undefined ? undefined : await readHistory(path, options);
  return { name: null, history, begin: nothing, event: nothing, end: unnamed };
}

async function readHistory(path: string, options: SaverOptions): Promise<History> {
  const { historyOf, readJsonlConversation } = await import("@mull/store/jsonl");
  const log = await readJsonlConversation(path);
  warnOfDamage(log, options);
  return historyOf(log);
}

function fileSaver(conversation: JsonlConversation, isNew: boolean, options: SaverOptions): Saver {
  const name = nameOfPath(conversation.path);
  let isKept = true;
  const keep = async (step: () => Promise<unknown>): Promise<void> => {
    if (!isKept) return;
    try {
      await step();
    } catch (error) {
      isKept = false;
      options.warn(`This conversation is no longer saved: ${trouble(error)}`);
    }
  };
  return {
    name,
    history: conversation.history(),
    begin: (parts) => keep(() => conversation.append({ role: "user", parts })),
    event: (event) =>
      keep(async () => {
        if (event.type === "tool-result") await conversation.appendPart("tool", event.result);
        if (event.type === "answer" && event.event.type === "part") {
          await conversation.appendPart("assistant", event.event.part);
        }
      }),
    end: async (history, answer) => {
      const isEmpty =
        isNew && answer === undefined && !history.messages.some(({ role }) => role === "assistant");
      if (isEmpty) {
        await conversation.close().catch(() => undefined);
        await rm(conversation.path, { force: true });
        return null;
      }
      await keep(async () => {
        await conversation.save(history);
        if (answer === undefined) return;
        await conversation.setInfo({ model: options.ref });
        await conversation.appendTurn(answerToJson(answer));
      });
      // Close it even when it is no longer kept: an open file leaves its lock behind.
      await conversation.close().catch(() => undefined);
      return name;
    },
  };
}

const trouble = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return fileTrouble(cause);
};
