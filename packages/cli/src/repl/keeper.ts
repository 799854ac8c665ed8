import { rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { AgentEvent, History, JsonObject } from "mull";
import {
  historyOf,
  jsonlConversation,
  readJsonlConversation,
  type ConversationLog,
  type JsonlConversation,
} from "@mull/store/jsonl";
import { newConversationPath } from "../conversations/folder.ts";
import { pathOf } from "../conversations/path-of.ts";
import { answerFromJson, answerToJson, type LedgerEntry } from "./answer.ts";

/** A conversation as it was found in a file. */
export interface KeptConversation {
  readonly history: History;
  readonly answers: readonly LedgerEntry[];
  /** Answers that have left the path to the last message. */
  readonly takenBack: readonly LedgerEntry[];
  readonly info: JsonObject;
  readonly damaged: number;
  /** The process that has the file open; the conversation then continues in a copy. */
  readonly heldBy?: string;
}

export interface KeeperOptions {
  /** Absent: nothing is kept. */
  readonly folder?: string | undefined;
  /** Told once when something cannot be kept. */
  readonly onTrouble: (message: string) => void;
}

/**
 * Keeps the conversation in its file, block by block. The chat keeps working when the disk does not: it
 * says so once and tries again with the next block.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  #file: JsonlConversation | undefined;
  #path: string | undefined;
  #info: JsonObject = {};
  #last: Promise<void> = Promise.resolve();
  #hasTrouble = false;
  #stepBegan = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** The name to come back with; absent while nothing is kept. */
  get name(): string | undefined {
    return this.#path === undefined ? undefined : basename(this.#path, ".jsonl");
  }

  /** Opens a file, or reads it if another process has it. */
  async open(path: string): Promise<KeptConversation> {
    await this.close();
    try {
      const file = await jsonlConversation(path);
      this.#file = file;
      this.#path = path;
      this.#info = file.info;
      const log = { messages: file.entries, head: file.head, turns: file.turns };
      return found({ ...log, info: file.info, damage: file.damage });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "held")) throw error;
      const log = await readJsonlConversation(path);
      this.#info = log.info;
      return { ...found(log), heldBy: /process (\S+?)\./.exec(error.message)?.[1] ?? "another" };
    }
  }

  /** Facts kept with the messages: model, system prompt. */
  setInfo(info: JsonObject): void {
    this.#info = { ...this.#info, ...info };
    const file = this.#file;
    if (file !== undefined) this.#do(() => file.setInfo(info));
  }

  /** Follows a turn. `history` is the agent's at this moment. */
  take(event: AgentEvent, history: History): void {
    if (this.#options.folder === undefined) return;
    if (event.type === "answer") {
      const { event: inner } = event;
      // Question and effort updates first: parts are written after the head.
      if (!this.#stepBegan) this.#do(async () => (await this.#begun()).save(history));
      this.#stepBegan = true;
      // An answer that came in one read is in the history before its parts are told.
      const isWhole = history.messages.at(-1)?.role === "assistant";
      if (inner.type === "part" && !isWhole)
        this.#do(async () => {
          await (await this.#begun()).appendPart("assistant", inner.part);
        });
    } else if (event.type === "tool-result") {
      this.#stepBegan = false;
      this.#do(async () => {
        await (await this.#begun()).appendPart("tool", event.result);
      });
    } else {
      this.#stepBegan = false;
      this.#do(async () => (await this.#begun()).save(history));
    }
  }

  /** The turn is over, however it ended. */
  endTurn(history: History, answer: LedgerEntry | undefined): Promise<void> {
    this.#stepBegan = false;
    if (this.#options.folder === undefined) return Promise.resolve();
    const isNothing = history.length === 0 && answer === undefined;
    if (isNothing && this.#file === undefined) return Promise.resolve();
    this.#do(async () => {
      const file = await this.#begun();
      await file.save(history);
      if (answer !== undefined) await file.appendTurn(answerToJson(answer));
    });
    return this.#last;
  }

  /** The history was changed by hand: forked, edited. */
  keep(history: History): Promise<void> {
    return this.endTurn(history, undefined);
  }

  /** Gives the file another name. */
  async rename(name: string): Promise<void> {
    const from = this.#path;
    if (from === undefined) throw new Error("nothing is saved yet");
    const to = join(dirname(from), `${name}.jsonl`);
    await this.close();
    await rename(from, to);
    await this.open(to);
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file?.close().catch(() => undefined);
    this.#file = undefined;
    this.#path = undefined;
    this.#info = {};
  }

  /** Everything is in the file and the file is free; its name stays known. */
  async end(): Promise<void> {
    await this.#last;
    await this.#file?.close().catch(() => undefined);
  }

  async #begun(): Promise<JsonlConversation> {
    if (this.#file !== undefined) return this.#file;
    const path = newConversationPath(this.#options.folder!);
    this.#file = await jsonlConversation(path);
    this.#path = path;
    if (Object.keys(this.#info).length > 0) await this.#file.setInfo(this.#info);
    return this.#file;
  }

  #do(step: () => Promise<void>): void {
    const before = this.#last;
    this.#last = this.#attempt(before, step);
  }

  async #attempt(before: Promise<void>, step: () => Promise<void>): Promise<void> {
    await before;
    try {
      await step();
      this.#hasTrouble = false;
    } catch (error) {
      if (this.#hasTrouble) return;
      this.#hasTrouble = true;
      this.#options.onTrouble(error instanceof Error ? error.message : String(error));
    }
  }
}

type KeptLog = Pick<ConversationLog, "messages" | "head" | "turns" | "info" | "damage">;

function found(log: KeptLog): KeptConversation {
  const path = pathOf(log).map(({ id }) => id);
  const history = historyOf(log);
  const questionBefore = (at: number): number =>
    history.messages.slice(0, at).findLastIndex(({ role }) => role === "user");
  const all = log.turns.flatMap((turn) => {
    const at = turn.message === null ? -1 : path.indexOf(turn.message);
    const answer = answerFromJson(turn.data, Math.max(0, questionBefore(at)), at + 1);
    return answer === undefined ? [] : [answer];
  });
  return {
    history,
    answers: all.filter(({ after }) => after > 0),
    takenBack: all.filter(({ after }) => after === 0),
    info: log.info,
    damaged: log.damage.length,
  };
}
