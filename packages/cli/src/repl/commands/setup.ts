import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { findProvider, type Provider } from "mull";
import { filePart } from "../../ask/file-part.ts";
import { loadKeys, withoutKeysOf } from "../../config/keys.ts";
import type { Given } from "../../frame/command.ts";
import type { Io } from "../../frame/io.ts";
import { refuseMoreWords } from "../../frame/more-words.ts";
import { UsageError } from "../../frame/usage-error.ts";
import { bytes } from "../format.ts";
import { largestFile } from "../mentions.ts";
import { createWidths, cutTo } from "../rows.ts";
import { toOneLine } from "../to-terminal.ts";
import type { Chat, SlashCommand } from "./command.ts";

function runSystem(words: string, chat: Chat): void {
  const text = words.trim();
  const { session } = chat;
  if (text === "") {
    chat.say([
      session.system === undefined
        ? "There is no system prompt."
        : `System prompt: ${session.system}`,
    ]);
    return;
  }
  const isOff = text === "off" || text === "none";
  session.setSystem(isOff ? undefined : text);
  chat.say(
    [isOff ? "✓ No system prompt." : "✓ System prompt set, from the next question on."],
    "good",
  );
}

function runTools(words: string, chat: Chat): void {
  const { session } = chat;
  const names = words
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean);
  const all = session.allTools.map(({ spec }) => spec.name);
  if (names.length > 0) {
    const wanted = names[0] === "off" ? [] : names[0] === "on" ? all : names;
    const unknown = wanted.find((name) => !all.includes(name));
    if (unknown !== undefined)
      throw new Error(
        `There is no tool ${JSON.stringify(unknown)}. Tools: ${all.join(" ")}, or on, off.`,
      );
    session.setTools(session.allTools.filter(({ spec }) => wanted.includes(spec.name)));
  }
  const inUse = new Set(session.tools.map(({ spec }) => spec.name));
  const width = Math.max(...all.map((name) => name.length));
  const room = (chat.io.columns ?? 80) - 1;
  chat.say(
    session.allTools.map(({ spec: { name, description = "" } }) => {
      const sign = inUse.has(name) ? "✓" : "·";
      const row = `  ${sign} ${name.padEnd(width)}  ${toOneLine(description)}`;
      return cutTo(row, room, createWidths());
    }),
  );
}

async function runFile(words: string, chat: Chat): Promise<void> {
  const { session, io } = chat;
  const name = namedBy(words.trim(), io);
  if (name === "") {
    session.attached = [];
    chat.say(["No file goes with the next question. /file PATH attaches one."]);
    return;
  }
  const path = resolve(io.cwd, name);
  const { size } = await statFile(path);
  if (size > largestFile)
    throw new Error(`${path} has ${bytes(size)}; the limit is ${bytes(largestFile)}.`);
  session.attached = [...session.attached, filePart(path, await readFile(path))];
  chat.say([`▸ ${basename(path)} · ${bytes(size)} goes with the next question`], "good");
}

/** A path as it is, or as a shell writes it: terminals put quotes or backslashes into dropped ones. */
function namedBy(written: string, { cwd, home }: Pick<Io, "cwd" | "home">): string {
  const atHome = (path: string): string => path.replace(/^~(?=\/)/, home);
  if (existsSync(resolve(cwd, atHome(written)))) return atHome(written);
  const quoted = /^(["'])(.*)\1$/.exec(written)?.[2];
  return atHome(quoted ?? written.replaceAll(/\\(\W)/g, "$1"));
}

async function statFile(path: string): Promise<{ readonly size: number }> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error(`${path} is not a file.`);
    return found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new Error(`There is no file ${path}.`, { cause: error });
    throw error;
  }
}

const noOptions: Omit<Given, "words"> = {
  text: () => undefined,
  texts: () => [],
  has: () => false,
};

/** Runs a command of the shell in here; it may use the terminal itself. */
async function runShellCommand(name: "keys" | "doctor", words: string, chat: Chat): Promise<void> {
  const given: Given = { ...noOptions, words: words.trim().split(/\s+/).filter(Boolean) };
  const said: string[] = [];
  let isDone = false;
  const setFor = name === "keys" ? providerSet(given.words) : undefined;
  const replaced = new Set(chat.session.replacedKeys);
  if (setFor !== undefined) replaced.add(setFor.id);
  // Inherited, not copied: looking at its signal would take Ctrl-C away from the chat.
  const io = Object.assign(Object.create(chat.io) as Io, {
    env: withoutKeysOf(replaced, chat.io.env),
    // The chat breaks the lines itself.
    terminal: { ...chat.io.terminal, stdout: false, stderr: false },
    out: (text: string) => {
      said.push(text);
      return Promise.resolve();
    },
    err: (text: string) => {
      said.push(text);
    },
  });
  const work = async (): Promise<void> => {
    const { commands } = await import("../../commands.ts");
    const command = commands.find((row) => row.name === name)!;
    refuseMoreWords(command, given.words.length);
    const { run } = await command.load();
    await run(given, io);
    isDone = true;
  };
  try {
    // Only a key that is typed in needs the terminal, and before anything is waited for: what was
    // pasted behind the command must not reach the editor.
    await (given.words.length > 0 ? chat.aside(work) : work());
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    said.push(`✗ ${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`);
  }
  chat.say(said.join("").trimEnd().replaceAll("mull keys", "/keys").split("\n"));
  if (isDone && name === "keys") takeKeys(setFor, chat);
}

/** The provider of `/keys set PROVIDER`, if there is one of that name. */
function providerSet([verb, id = ""]: readonly string[]): Provider | undefined {
  if (verb !== "set") return undefined;
  try {
    return findProvider(id);
  } catch {
    return undefined;
  }
}

/** A key that was set here or in another window holds from the next question on. */
function takeKeys(setFor: Provider | undefined, { session, io, say }: Chat): void {
  if (setFor !== undefined) session.replacedKeys.add(setFor.id);
  session.setKeys(loadKeys(io, () => undefined, session.replacedKeys));
  if (setFor === undefined) return;
  if (session.isSimulated) {
    say(["This chat stays simulated. Start mull again to ask a real model."], "note");
    return;
  }
  const variable = setFor.keyVariables.find((each) => io.env[each]?.trim());
  const later =
    variable === undefined
      ? ""
      : ` In new chats ${variable} comes first: unset it to use this key.`;
  const retry = session.lastFailure === undefined ? "" : " /retry asks again.";
  say([`This chat uses the new key from now on.${retry}${later}`], "note");
}

export const setupCommands: readonly SlashCommand[] = [
  { name: "system", usage: "[TEXT|off]", help: "show or set the system prompt", run: runSystem },
  { name: "tools", usage: "[on|off|NAME…]", help: "tools the model may use", run: runTools },
  {
    name: "file",
    usage: "PATH",
    help: "send a file with the next question",
    anytime: true,
    run: runFile,
  },
  {
    name: "keys",
    usage: "[set|remove PROVIDER]",
    help: "which API keys are there, and set one",
    run: (words, chat) => runShellCommand("keys", words, chat),
  },
  {
    name: "doctor",
    help: "check keys, settings and folders here",
    run: (words, chat) => runShellCommand("doctor", words, chat),
  },
  {
    name: "exit",
    alias: "quit",
    help: "leave; /quit and Ctrl-D do too",
    anytime: true,
    run: (_words, { leave }) => leave(),
  },
];
