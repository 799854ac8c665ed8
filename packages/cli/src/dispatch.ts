import { askContradictions, askOptions } from "./ask/ask-options.ts";
import { commands } from "./commands.ts";
import type { Command } from "./frame/command.ts";
import { refuseContradictions } from "./frame/contradictions.ts";
import { exitCodes } from "./frame/exit-code.ts";
import type { Io } from "./frame/io.ts";
import { nearest } from "./frame/nearest.ts";
import { refuseMoreWords } from "./frame/more-words.ts";
import { parseOptions } from "./frame/parse-options.ts";
import { reportFailure } from "./frame/report.ts";
import { UsageError } from "./frame/usage-error.ts";
import { version } from "./frame/version.ts";

/** Says what went wrong, as JSON too where that is asked for, and names the exit code. */
export async function reportRun(argv: readonly string[], error: unknown, io: Io): Promise<number> {
  const code = reportFailure(error, io);
  if (isAskedForJson(argv) && error instanceof Error) {
    const { refused } = await import("./ask/outcome.ts");
    await io.out(`${JSON.stringify(refused(error))}\n`).catch(() => {});
  }
  return code;
}

/** `--json` promises its object on failure too, whatever went wrong before the question was put. */
const isAskedForJson = ([first = "", ...rest]: readonly string[]): boolean =>
  !commands.some(({ name }) => name === first) &&
  [first, ...rest].some((word) => word === "--json" || word === "--jsonl");

/** Finds the command that is meant and runs it. */
export async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [first = "", ...rest] = argv;
  if (first === "--version" || first === "-V") return printVersion(io);
  if (first === "help" || first === "--help" || first === "-h") {
    refuseMoreWords({ name: "help", words: 1, usage: "mull help [COMMAND]" }, rest.length);
    return printHelp(rest[0], io);
  }
  if (first === "complete" && rest[0] === "--") {
    const { completions } = await import("./completion/complete.ts");
    await io.out(await completions(rest.slice(1), io));
    return exitCodes.done;
  }
  if (first === "ask") return askOrChat(rest, io);
  const command = commands.find(({ name }) => name === first);
  if (command !== undefined) return runCommand(command, rest, io);
  refuseMistyped(argv);
  return askOrChat(argv, io);
}

async function askOrChat(argv: readonly string[], io: Io): Promise<number> {
  const given = parseOptions(argv, askOptions);
  refuseContradictions(askContradictions, given);
  if (given.has("help")) return printHelp(undefined, io);
  if (given.has("version")) return printVersion(io);
  const { isChat, run: chat } = await import("./commands/chat.ts");
  if (isChat(given, io)) return chat(given, io);
  const { run: ask } = await import("./commands/ask.ts");
  return ask(given, io);
}

async function runCommand(command: Command, argv: readonly string[], io: Io): Promise<number> {
  // Behind `--` it is a word for somebody else: `mull run -- claude --help`.
  const dashes = argv.indexOf("--");
  const own = dashes < 0 ? argv : argv.slice(0, dashes);
  if (own.includes("--help") || own.includes("-h")) return printHelp(command.name, io);
  const given = parseOptions(argv, command.options);
  refuseMoreWords(command, given.words.length);
  refuseContradictions(command, given);
  const { run: start } = await command.load();
  return start(given, io);
}

async function printVersion(io: Io): Promise<number> {
  await io.out(`${version()}\n`);
  return exitCodes.done;
}

async function printHelp(name: string | undefined, io: Io): Promise<number> {
  const { helpOf, helpOfAll } = await import("./frame/help.ts");
  const command = commands.find((row) => row.name === name);
  if (name !== undefined && command === undefined) throw unknownCommand(name);
  await io.out(command === undefined ? helpOfAll(commands, askOptions) : helpOf(command));
  return exitCodes.done;
}

/** One word close to a command, alone or before options, is a slip; `--` makes it a question. */
function refuseMistyped([word = "", next = "-"]: readonly string[]): void {
  const isWord = /^[a-z]{3,}$/.test(word) && next.startsWith("-");
  if (isWord && nearest(word, names) !== undefined) throw unknownCommand(word);
}

const names = commands.map(({ name }) => name);

function unknownCommand(word: string): UsageError {
  const meant = nearest(word, names);
  return new UsageError(
    `Unknown command ${JSON.stringify(word)}. Commands: ${names.join(" ")}`,
    `${meant === undefined ? "" : `Did you mean ${meant}? `}To ask the model this word: mull -- ${word}`,
  );
}
