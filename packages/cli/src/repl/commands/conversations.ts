import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { textOf, type AssistantMessage, type Message } from "mull";
import { plural } from "mull/wire";
import { describeQuestion } from "../../ask/file-part.ts";
import { pathsOf } from "../../config/paths.ts";
import { findConversation, listConversations } from "../../conversations/folder.ts";
import { readSummary } from "../../conversations/read-summary.ts";
import { localMinute } from "../format.ts";
import type { PickChoice } from "../picker.ts";
import { cutTo, createWidths } from "../rows.ts";
import { toOneLine } from "../to-terminal.ts";
import type { Candidate, Chat, SlashCommand } from "./command.ts";

async function runNew(_words: string, chat: Chat): Promise<void> {
  const name = chat.session.keeper.name;
  await chat.session.startNew();
  chat.say(
    [`✓ A new conversation.${name === undefined ? "" : ` The last one: /resume ${name}`}`],
    "good",
  );
}

async function runResume(words: string, chat: Chat): Promise<void> {
  const name = words.trim();
  const folder = pathsOf(chat.io).conversations;
  if (name !== "") {
    await openConversation(name, chat);
    return;
  }
  if (chat.pick === undefined) {
    chat.say(await listLines(folder, chat.io.columns ?? 80));
    return;
  }
  const choices = await conversationChoices(folder, chat.session.keeper.name);
  if (choices.length === 0) {
    chat.say(["There is no other conversation yet."]);
    return;
  }
  const picked = await chat.pick({ title: "Resume", choices });
  if (picked !== undefined) await openConversation(picked, chat);
}

/** Older ones are found by their name: `/resume NAME`. */
const mostListed = 200;

async function conversationChoices(
  folder: string,
  current: string | undefined,
): Promise<readonly PickChoice[]> {
  const files = (await listConversations(folder)).filter(({ name }) => name !== current);
  const rows = await Promise.all(files.slice(0, mostListed).map(readSummary));
  return rows.map(({ name, title, turns, changedAt }) => ({
    value: name,
    label: title === "" ? "(no question)" : toOneLine(title),
    help: `${localMinute(changedAt)} · ${plural(turns, "answer")} · ${name}`,
  }));
}

/** Opens a conversation and says where it stands. */
export async function openConversation(name: string, chat: Chat): Promise<void> {
  const file = await findConversation(
    pathsOf(chat.io).conversations,
    name === "" ? undefined : name,
  );
  if (file.name === chat.session.keeper.name) {
    chat.say([`${file.name} is the conversation you are in.`], "note");
    return;
  }
  const found = await chat.session.openFile(file.path);
  const count = found.history.messages.filter(({ role }) => role === "user").length;
  chat.say([`✓ ${file.name} · ${plural(count, "question")} so far`], "good");
  if (found.heldBy !== undefined) {
    const copy = chat.session.keeper.name;
    chat.say(
      [
        `⚠ ${file.name} is open in process ${found.heldBy}, so you continue in a copy${copy === undefined ? "" : `: ${copy}`}.`,
      ],
      "note",
    );
  }
  if (found.damaged > 0)
    chat.say(
      [`⚠ ${plural(found.damaged, "line")} of the file could not be read; the rest is here.`],
      "note",
    );
  await showLastExchange(found.history.messages, chat);
}

/** The end of a long answer is what people go on from. */
const mostRows = 40;

/** The last question and its answer as they stood there, so that people know where they are. */
async function showLastExchange(messages: readonly Message[], chat: Chat): Promise<void> {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const question = messages[at];
  if (question?.role !== "user") return;
  const asked = describeQuestion(question.parts);
  chat.echo(asked.length > longQuestion ? `${asked.slice(0, longQuestion)}…` : asked);
  const answers = messages.slice(at).filter((message) => message.role === "assistant");
  const text = answers
    .map((answer) => textOf(answer))
    .filter(Boolean)
    .join("\n\n");
  if (text !== "") await chat.showAnswer(text, mostRows);
  const last = answers.at(-1);
  const why = whyUnfinished(messages, last);
  if (why !== undefined) chat.say([`${why} /retry asks again.`], "note");
}

function whyUnfinished(
  messages: readonly Message[],
  last: AssistantMessage | undefined,
): string | undefined {
  if (last === undefined) return "There is no answer yet.";
  if (last.interrupted) return "The answer was cut off here.";
  const call = last.parts.findLast((part) => part.type === "tool-call" && part.send !== false);
  if (call?.type !== "tool-call") return undefined;
  const results = messages.at(-1);
  const hasRun =
    results?.role === "tool" &&
    results.parts.some(({ callId, isError }) => callId === call.id && !isError);
  return `The turn stopped ${hasRun ? "after" : "at"} ${call.name}.`;
}

/** A pasted file is not shown again in full. */
const longQuestion = 1000;

/** A row each, if the window has room for the beginning of a question. */
async function listLines(folder: string, columns: number): Promise<readonly string[]> {
  const files = (await listConversations(folder)).slice(0, 12);
  if (files.length === 0) return ["There is no conversation yet."];
  const rows = await Promise.all(files.map(readSummary));
  return [
    ...rows.map(({ name, title, turns, changedAt }) => {
      const answers = plural(turns, "answer").padEnd(11);
      const row = `  ${name.padEnd(18)} ${localMinute(changedAt)}  ${answers}  `;
      const room = Math.max(20, columns - 1 - row.length);
      return row + cutTo(toOneLine(title), room, createWidths());
    }),
    "",
    "  /resume NAME opens one. Tab completes.",
  ];
}

async function completeNames(words: string, chat: Chat): Promise<readonly Candidate[]> {
  const files = await listConversations(pathsOf(chat.io).conversations);
  const matching = files.filter(({ name }) => name.startsWith(words.trim())).slice(0, 12);
  return Promise.all(
    matching.map(async (file) => ({
      value: file.name,
      help: toOneLine((await readSummary(file)).title).slice(0, 60),
    })),
  );
}

async function runName(words: string, chat: Chat): Promise<void> {
  const name = words.trim();
  const { keeper } = chat.session;
  if (keeper.name === undefined)
    throw new Error("There is nothing to name yet: ask something first.");
  if (name === "") {
    chat.say([`This is ${keeper.name}.`]);
    return;
  }
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u.test(name))
    throw new Error(`${JSON.stringify(name)} is not a name: letters, digits, - and _, at most 64.`);
  if (existsSync(join(pathsOf(chat.io).conversations, `${name}.jsonl`)))
    throw new Error(`There is a conversation ${name} already.`);
  await keeper.rename(name);
  chat.say([`✓ This conversation is now called ${name}.`], "good");
}

async function runExport(words: string, chat: Chat): Promise<void> {
  const { session, io } = chat;
  if (session.history.length === 0) throw new Error("There is nothing to export yet.");
  const word = words.trim() || `${session.keeper.name ?? "conversation"}.md`;
  const given =
    word === "json" || word === "md" ? `${session.keeper.name ?? "conversation"}.${word}` : word;
  const path = isAbsolute(given) ? given : resolve(io.cwd, given);
  const text = path.endsWith(".json")
    ? `${JSON.stringify(session.history, undefined, 2)}\n`
    : toMarkdown(session.history.messages);
  try {
    await chat.keep(writeFile(path, text, { flag: "wx", mode: 0o600 }));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST")
      throw new Error(`${path} exists already; choose another name.`, { cause: error });
    if (code === "ENOENT")
      throw new Error(`There is no folder ${dirname(path)}.`, { cause: error });
    throw error;
  }
  chat.say(
    [`✓ Written to ${path}${path.endsWith(".json") ? ", seals included" : ", without seals"}`],
    "good",
  );
}

function toMarkdown(messages: readonly Message[]): string {
  const blocks = messages.flatMap((message): readonly string[] =>
    message.role === "system"
      ? []
      : message.parts.flatMap((part) => {
          if (part.type === "text")
            return [message.role === "user" ? quoted(part.text) : part.text];
          if (part.type === "thinking" && part.text !== "")
            return [`<details><summary>Thinking</summary>\n\n${part.text}\n\n</details>`];
          if (part.type === "tool-call") return [`\`${part.name} ${JSON.stringify(part.input)}\``];
          return [];
        }),
  );
  return `${blocks.join("\n\n")}\n`;
}

const quoted = (text: string): string => `> ${text.replaceAll("\n", "\n> ")}`;

export const conversationCommands: readonly SlashCommand[] = [
  { name: "new", help: "start over; this conversation stays", run: runNew },
  {
    name: "resume",
    usage: "[NAME]",
    help: "list conversations, or continue one",
    complete: completeNames,
    run: runResume,
  },
  { name: "name", usage: "[NAME]", help: "name this conversation", run: runName },
  {
    name: "export",
    usage: "[FILE.md|FILE.json]",
    help: "write it to a file; json keeps seals",
    anytime: true,
    run: runExport,
  },
];
