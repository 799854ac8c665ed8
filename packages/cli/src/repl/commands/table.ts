import { nearest } from "../../frame/nearest.ts";
import type { Candidate, Chat, SlashCommand } from "./command.ts";
import { conversationCommands } from "./conversations.ts";
import { inspectCommands } from "./inspect.ts";
import { modelCommands } from "./model.ts";
import { setupCommands } from "./setup.ts";
import { turnCommands } from "./turns.ts";

const help: SlashCommand = {
  name: "help",
  usage: "[COMMAND]",
  help: "all commands and keys, or one of them",
  anytime: true,
  run: (words, chat) => {
    const columns = chat.io.columns ?? 80;
    if (words.trim() === "")
      return showHelp(helpLines(chat.isPlain ? plainKeys : keyTable, columns), chat);
    return chat.say(commandRows([findCommand(words.trim().replace(/^\//, ""))], columns));
  },
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
  ["↑ ↓", "earlier lines"],
  ["^R", "search them"],
  ["Tab", "complete"],
  ["⇧Tab", "turn the dial up, wraps"],
  ["^T", "thinking: show or hide it while it streams, read it afterwards"],
  ["^O", "receipt of the last answer"],
  ["^G", "write in $EDITOR"],
  ["Esc", "stop the answer; take back what is queued"],
  ["^C", "stop, clear, or leave"],
  ["^D", "leave, on an empty line"],
  ["^L", "repaint"],
  ["^Z", "suspend"],
  ["?", "these keys, on an empty line"],
];

/** What is left of them if whole lines are read. */
const plainKeys: typeof keyTable = [
  ["⏎", "send"],
  ["\\⏎", "new line"],
  ["^C", "stop, or leave"],
  ["^D", "leave, on an empty line"],
  ["? ⏎", "this list"],
];

export const keyLines = (keys: typeof keyTable = keyTable): readonly string[] =>
  keys.map(([key, what]) => `  ${key.padEnd(12)}${what}`);

const helpLines = (keys: typeof keyTable, columns: number): readonly string[] => [
  ...commandRows(slashCommands, columns),
  "",
  ...keyLines(keys),
];

function commandRows(commands: readonly SlashCommand[], columns: number): readonly string[] {
  const rows = commands.map(({ help: text, ...command }) => [usageOf(command), text] as const);
  const width = Math.max(...rows.map(([left]) => left.length));
  const table = rows.map(([left, text]) => `  ${left.padEnd(width)}  ${text}`);
  const isNarrow = table.some((row) => row.length >= columns);
  return isNarrow ? rows.flatMap(([left, text]) => [`  ${left}`, `      ${text}`]) : table;
}

const usageOf = ({ name, usage }: Pick<SlashCommand, "name" | "usage">): string =>
  `/${name}${usage === undefined ? "" : ` ${usage}`}`;

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
  const command = findCommand(name, line.trim().split(/\s/)[0]);
  if (command.usage === undefined && words !== "")
    throw new Error(`/${command.name} takes no words. Send it alone: /${command.name}`);
  if (chat.isRunning() && !command.anytime)
    throw new Error(`/${command.name} waits for the end of this answer: Esc stops it.`);
  await command.run(words, chat);
}

/** The command of this name, or the only one that begins like it. */
function findCommand(name: string, written: string = `/${name}`): SlashCommand {
  const whole = slashCommands.find((row) => row.name === name || row.alias === name);
  if (whole !== undefined) return whole;
  const matching = slashCommands.filter(
    (row) => name !== "" && (row.name.startsWith(name) || row.alias?.startsWith(name)),
  );
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw new Error(`/${name} can be ${matching.map((row) => `/${row.name}`).join(" or ")}.`);
  const meant = nearest(
    name,
    slashCommands.map((row) => row.name),
  );
  throw new Error(
    `Unknown command ${written}.${meant === undefined ? "" : ` Did you mean /${meant}?`} /help lists them.`,
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
