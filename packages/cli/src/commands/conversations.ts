import { rm } from "node:fs/promises";

import { textOf, type Message, type ToolMessage } from "mull";

import { describeQuestion } from "../ask/file-part.ts";
import { pathsOf } from "../config/paths.ts";
import {
  findConversation,
  listConversations,
  type ConversationFile,
} from "../conversations/folder.ts";
import { readEach } from "../conversations/read-each.ts";
import { readSummary } from "../conversations/read-summary.ts";
import { columns } from "../frame/columns.ts";
import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import type { Io } from "../frame/io.ts";
import { didYouMean } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";
import { beginning, localMinute, seconds } from "../repl/format.ts";
import { toOneLine, toTerminal } from "../repl/to-terminal.ts";

const verbs: ReadonlyMap<string, (given: Given, io: Io) => Promise<number>> = new Map([
  ["list", list],
  ["show", show],
  ["export", exportHistory],
  ["remove", remove],
]);

export const run: RunCommand = async (given, io) => {
  const [word = "list"] = given.words;
  const verb = verbs.get(word);
  if (word === "list" && given.words.length > 1)
    throw new UsageError("mull conversations list takes no name.", "mull conversations show NAME");
  if (given.has("json") && (word === "show" || word === "remove"))
    throw new UsageError(
      "--json lists all conversations.",
      "One of them as JSON: mull conversations export NAME",
    );
  if (verb !== undefined) return verb(given, io);
  throw new UsageError(
    `Unknown word ${JSON.stringify(word)}. mull conversations [list | show NAME | export NAME | remove NAME]`,
    didYouMean(word, [...verbs.keys()]),
  );
};

async function list(given: Given, io: Io): Promise<number> {
  const files = await listConversations(pathsOf(io).conversations);
  const summaries = await readEach(files, readSummary);
  if (given.has("json")) await io.out(`${JSON.stringify(summaries)}\n`);
  else if (summaries.length === 0) await io.out("There is no conversation yet.\n");
  else {
    const rows = summaries.map(({ name, title, messages, model, changedAt, damage }) => [
      name,
      localMinute(changedAt),
      String(messages),
      model ?? "",
      `${damage > 0 ? "⚠ damaged · " : ""}${beginning(toOneLine(title))}`,
    ]);
    await io.out(columns(["name", "changed", "messages", "model", "begins with"], rows, io));
  }
  return exitCodes.done;
}

async function show(given: Given, io: Io): Promise<number> {
  const { messages } = await historyNamed(given, io);
  const clean = io.terminal.stdout ? toTerminal : (text: string): string => text;
  for (const message of messages) {
    if (message.role === "tool") {
      for (const { name, isError, durationMs } of message.parts) {
        const time = durationMs === undefined ? "" : ` ${seconds(durationMs)}`;
        await io.out(clean(`tool: ${name} ${isError ? "✗" : "✓"}${time}\n`));
      }
    } else {
      const [who, text] = said(message);
      // An answer may be a tool call and nothing else.
      if (text !== "") await io.out(`${who}: ${clean(text)}\n`);
    }
  }
  return exitCodes.done;
}

function said(message: Exclude<Message, ToolMessage>): readonly [who: string, text: string] {
  if (message.role === "user") return ["you", describeQuestion(message.parts)];
  return [message.role === "assistant" ? "answer" : "system", textOf(message)];
}

async function exportHistory(given: Given, io: Io): Promise<number> {
  await io.out(`${JSON.stringify(await historyNamed(given, io))}\n`);
  return exitCodes.done;
}

async function remove(given: Given, io: Io): Promise<number> {
  const name = given.words[1];
  if (name === undefined) throw new UsageError("Which one? mull conversations remove NAME");
  const file = await findConversation(pathsOf(io).conversations, name);
  await refuseOpen(file);
  await rm(file.path);
  await io.out(`✓ removed ${file.name}\n`);
  return exitCodes.done;
}

/** A chat that has it open would go on writing into a file that is gone. */
async function refuseOpen({ name, path }: ConversationFile): Promise<void> {
  const { jsonlConversation } = await import("@mull/store/jsonl");
  try {
    await (await jsonlConversation(path)).close();
  } catch (error) {
    const isHeld = error instanceof Error && "code" in error && error.code === "held";
    if (isHeld) throw new UsageError(`${name} is open in another chat.`, "Close it there first.");
  }
}

async function historyNamed(given: Given, io: Io): Promise<import("mull").History> {
  const { historyOf, readJsonlConversation } = await import("@mull/store/jsonl");
  const file = await findConversation(pathsOf(io).conversations, given.words[1]);
  return historyOf(await readJsonlConversation(file.path));
}
