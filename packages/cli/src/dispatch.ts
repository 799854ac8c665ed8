import { askContradictions, askOptions } from "./ask/ask-options.ts";
import { commands } from "./commands.ts";
import type { Command } from "./frame/command.ts";
import { refuseContradictions } from "./frame/contradictions.ts";
import { exitCodes } from "./frame/exit-code.ts";
import type { Io } from "./frame/io.ts";
import { editsBetween, nearest } from "./frame/nearest.ts";
import { refuseMoreWords } from "./frame/more-words.ts";
import { parseOptions } from "./frame/parse-options.ts";
import { reportFailure } from "./frame/report.ts";
import { UsageError } from "./frame/usage-error.ts";
import { version } from "./frame/version.ts";

/** Reports an error, also as JSON if that was asked for, and returns the exit code. */
export async function reportRun(argv: readonly string[], error: unknown, io: Io): Promise<number> {
  const code = reportFailure(error, io);
  if (isAskedForJson(argv) && error instanceof Error) {
    const { refused } = await import("./ask/outcome.ts");
    await io.out(`${JSON.stringify(refused(error))}\n`).catch(() => {});
  }
  return code;
}

/** `--json` promises its object on failure too, whatever fails before the question is asked. */
const isAskedForJson = ([first = "", ...rest]: readonly string[]): boolean =>
  !commands.some(({ name }) => name === first) &&
  [first, ...rest].some((word) => word === "--json" || word === "--jsonl");

/** Finds the command and runs it. */
export async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [first = "", ...rest] = argv;
  const isAlone = rest.length === 0;
  if (first === "--version" || first === "-V" || (first === "version" && isAlone))
    return printVersion(io);
  if (isHelp(first)) {
    refuseMoreWords({ name: "help", words: 1, usage: "mull help [COMMAND]" }, rest.length);
    return printHelp(isHelp(rest[0]) ? undefined : rest[0], io);
  }
  if (first === "complete" && rest[0] === "--") {
    const { completions } = await import("./completion/complete.ts");
    await io.out(await completions(rest.slice(1), io));
    return exitCodes.done;
  }
  // `mull chat about dogs` is a question.
  const isChat = first === "chat" && (isAlone || rest[0]!.startsWith("-"));
  if (first === "ask" || isChat) return askOrChat(rest, io);
  const command = commands.find(({ name }) => name === first);
  if (command !== undefined) return runCommand(command, rest, io);
  refuseMistyped(argv);
  return askOrChat(argv, io);
}

const isHelp = (word: string | undefined): boolean =>
  word === "help" || word === "--help" || word === "-h";

/** How other programs are told to answer once: here every question is answered so. */
const optionsElsewhere: ReadonlyMap<string, string> = new Map(
  ["-p", "--print", "--prompt"].map((name) => [
    name,
    'A question needs no option: mull "question"',
  ]),
);

async function askOrChat(argv: readonly string[], io: Io): Promise<number> {
  const given = parseOptions(argv, askOptions, (name) => optionsElsewhere.get(name));
  refuseContradictions(askContradictions, given);
  if (given.has("help")) return printHelp("ask", io);
  if (given.has("version")) return printVersion(io);
  const { isChat, run: chat } = await import("./commands/chat.ts");
  if (isChat(given, io)) return chat(given, io);
  const { run: ask } = await import("./commands/ask.ts");
  return ask(given, io);
}

async function runCommand(command: Command, argv: readonly string[], io: Io): Promise<number> {
  // After `--` it is a word for another program: `mull run -- claude --help`.
  const dashes = argv.indexOf("--");
  const own = dashes < 0 ? argv : argv.slice(0, dashes);
  if (own.includes("--help") || own.includes("-h")) return printHelp(command.name, io);
  // Without the dashes, an option of the program would be an unknown one of ours.
  const lacksDashes = dashes < 0 && command.usage.includes(" -- ");
  const hint = `Write \`--\` before the program: ${command.examples?.[0] ?? command.usage}`;
  const given = parseOptions(argv, command.options, () => (lacksDashes ? hint : undefined));
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
  const { helpOf, helpOfAll, helpOfAsk } = await import("./frame/help.ts");
  const columns = io.terminal.stdout ? io.columns : undefined;
  if (name === undefined) await io.out(helpOfAll(askOptions, columns));
  else if (name === "ask" || name === "chat") await io.out(helpOfAsk(askOptions, columns));
  else {
    const command = commands.find((row) => row.name === name);
    if (command === undefined) throw unknownCommand(name);
    await io.out(helpOf(command, askOptions, columns));
  }
  return exitCodes.done;
}

/** A slip is refused, a question of one word is not; `--` makes anything a question. */
function refuseMistyped([word = "", ...rest]: readonly string[]): void {
  const isAlone = rest[0]?.startsWith("-") ?? true;
  if (!/^[a-z]{3,}$/.test(word) || !(isAlone || rest.every(isNoProse))) return;
  const meant = nearest(word, names);
  if (meant !== undefined && isSlip(word, meant)) throw unknownCommand(word);
}

/** An option, a model or a file: `gpt-6-sol/high`, `request.json`. */
const isNoProse = (word: string): boolean =>
  word.startsWith("-") || /^[\w.:-]*[\d./][\w./:-]*\w$/.test(word);

/** One letter off, or two in a long name: `plants` and `coats` are words of their own. */
const isSlip = (word: string, name: string): boolean =>
  name.startsWith(word) || editsBetween(word, name) <= (name.length < 6 ? 1 : 2);

const names = commands.map(({ name }) => name);

function unknownCommand(word: string): UsageError {
  const meant = nearest(word, names);
  const known =
    meant === undefined
      ? `Commands: ${names.join(" ")}`
      : `Did you mean ${meant}? mull --help lists all commands.`;
  return new UsageError(
    `Unknown command ${JSON.stringify(word)}. ${known}`,
    `To ask the model this word: mull -- ${word}`,
  );
}
