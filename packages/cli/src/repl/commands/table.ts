import { nearest } from "../../frame/nearest.ts";
import type { Candidate, Chat, SlashCommand } from "./command.ts";
import { conversationCommands } from "./conversations.ts";
import { inspectCommands } from "./inspect.ts";
import { modelCommands } from "./model.ts";
import { setupCommands } from "./setup.ts";
import { turnCommands } from "./turns.ts";

const help: SlashCommand = {
  name: "help",
  help: "all commands and keys",
  anytime: true,
  run: (_words, chat) =>
    showHelp(helpLines(chat.isPlain ? plainKeys : keyTable, chat.io.columns ?? 80), chat),
};

/** Every command of the chat: help, completion and the page about it are made of this. */
export const slashCommands: readonly SlashCommand[] = [
  ...modelCommands,
  ...inspectCommands,
  ...turnCommands,
  ...conversationCommands,
  ...setupCommands.slice(0, -1),
  help,
  ...setupCommands.slice(-1),
];

/** The keys of the chat; those that only edit the line are in `editor.ts`. */
export const keyTable: readonly (readonly [string, string])[] = [
  ["⏎", "send"],
  ["⌥⏎ ^J \\⏎", "new line"],
  ["↑ ↓", "lines typed before"],
  ["^R", "search them"],
  ["Tab", "complete"],
  ["⇧Tab", "turn the dial up, wraps"],
  ["^T", "thinking: flip while it comes, read it afterwards"],
  ["^O", "receipt of the last answer"],
  ["^G", "write in $EDITOR"],
  ["Esc", "stop the answer; take back what is queued"],
  ["^C", "stop, clear, or leave"],
  ["^D", "leave, on an empty line"],
  ["^L", "repaint"],
  ["^Z", "suspend"],
  ["?", "these keys, on an empty line"],
];

/** What is left of them where whole lines are read. */
const plainKeys: typeof keyTable = [
  ["⏎", "send"],
  ["\\⏎", "new line"],
  ["^C", "stop, or leave"],
  ["^D", "leave, on an empty line"],
  ["? ⏎", "this list"],
];

export const keyLines = (keys: typeof keyTable = keyTable): readonly string[] =>
  keys.map(([key, what]) => `  ${key.padEnd(12)}${what}`);

const helpLines = (keys: typeof keyTable, columns: number): readonly string[] => {
  const rows = slashCommands.map(
    ({ name, usage, help: text }) =>
      [`/${name}${usage === undefined ? "" : ` ${usage}`}`, text] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  const table = rows.map(([left, text]) => `  ${left.padEnd(width)}  ${text}`);
  const isNarrow = table.some((row) => row.length >= columns);
  const list = isNarrow ? rows.flatMap(([left, text]) => [`  ${left}`, `      ${text}`]) : table;
  return [...list, "", ...keyLines(keys)];
};

/** A list longer than the window would scroll its beginning away: it is shown page by page. */
async function showHelp(lines: readonly string[], { say, page, isPlain, io }: Chat): Promise<void> {
  const room = (io.rows ?? 24) - rowsBelow;
  if (isPlain || lines.length <= room) say(lines);
  else await page("commands and keys", lines.join("\n"));
}

/** The command itself, prompt, status and the empty line above them. */
const rowsBelow = 4;

const form = /^\/([a-z]*)(?:\s+([\s\S]*))?$/;

/** Runs a line that begins with a slash. What goes wrong is thrown. */
export async function runSlash(line: string, chat: Chat): Promise<void> {
  const [, name = "", words = ""] = form.exec(line.trim()) ?? [];
  const command = slashCommands.find((row) => row.name === name) ?? onlyBeginning(name);
  if (command === undefined) throw unknownCommand(line, name);
  if (chat.isRunning() && !command.anytime)
    throw new Error(`/${command.name} waits for the end of this answer: Esc stops it.`);
  await command.run(words, chat);
}

const beginning = (start: string): readonly SlashCommand[] =>
  slashCommands.filter(({ name }) => start !== "" && name.startsWith(start));

const onlyBeginning = (start: string): SlashCommand | undefined => {
  const matching = beginning(start);
  return matching.length === 1 ? matching[0] : undefined;
};

function unknownCommand(line: string, name: string): Error {
  const matching = beginning(name).map((row) => `/${row.name}`);
  if (matching.length > 0) return new Error(`/${name} can be ${matching.join(" or ")}.`);
  const meant = nearest(
    name,
    slashCommands.map((row) => row.name),
  );
  const word = line.trim().split(/\s/)[0];
  return new Error(
    `Unknown command ${word}.${meant === undefined ? "" : ` Did you mean /${meant}?`} /help lists them.`,
  );
}

/** What the line could become; each candidate's value is the whole line. */
export async function completeSlash(line: string, chat: Chat): Promise<readonly Candidate[]> {
  const spaced = /^\/([a-z]+) ([\s\S]*)$/.exec(line);
  if (spaced === null) {
    return slashCommands
      .filter(({ name }) => `/${name}`.startsWith(line))
      .map(({ name, usage, help: text }) => ({
        value: `/${name}${usage === undefined ? "" : " "}`,
        help: text,
      }));
  }
  const [, name, words = ""] = spaced;
  const command = slashCommands.find((row) => row.name === name);
  const candidates = (await command?.complete?.(words, chat)) ?? [];
  return candidates.map((candidate) => ({ ...candidate, value: `/${name} ${candidate.value}` }));
}
