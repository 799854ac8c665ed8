import { existsSync } from "node:fs";

import { pathsOf } from "../config/paths.ts";
import type { Given, RunCommand } from "../frame/command.ts";
import { isAtTerminal, type Io } from "../frame/io.ts";
import { startRepl } from "../repl/index.ts";

/** A call without any word or option. */
export const nothingGiven: Given = {
  words: [],
  text: () => undefined,
  texts: () => [],
  has: () => false,
};

/** The chat. The prompt appears before the library is loaded, and before the settings if there are none. */
export const run: RunCommand = async (given, io) => {
  if (given === nothingGiven && !isAnythingSet(io)) return startRepl({ io, settings: {} });
  const { readChatOptions } = await import("../config/chat-options.ts");
  return startRepl(await readChatOptions(given, io));
};

/** Without a question, or with an option to stay after the answer, the chat opens. */
export const isChat = (given: Given, io: Io): boolean =>
  given.has("interactive") ||
  (isAtTerminal(io) &&
    given.words.length === 0 &&
    !["file", "json", "jsonl", "plan"].some((name) => given.has(name)));

function isAnythingSet(io: Io): boolean {
  const { userConfig, projectConfig } = pathsOf(io);
  return (
    Object.keys(io.env).some((name) => name.startsWith("MULL_")) ||
    [userConfig, projectConfig].some((path) => existsSync(path))
  );
}
