import { readQuestion } from "../ask/read-question.ts";
import { loadSettings } from "../config/settings.ts";
import type { Given, Run } from "../frame/command.ts";
import type { Io } from "../frame/io.ts";
import { readCount } from "../frame/read-count.ts";
import { UsageError } from "../frame/usage-error.ts";
import { startRepl } from "../repl/index.ts";

/** The chat. Loads no library itself: the prompt is there before that. */
export const run: Run = async (given, io) => {
  if (!isAtTerminal(io)) throw new UsageError("-i needs a terminal at both ends.");
  const settings = await loadSettings(given, io);
  const budget = readCount("--thinking-budget", given.text("thinking-budget"));
  const resume = given.text("resume") ?? (given.has("continue") ? "" : undefined);
  const first = await readQuestion(given, io);
  const tools = given.texts("tool");
  return startRepl({
    io,
    settings: given.has("hide-thinking") ? { ...settings, think: "hide" } : settings,
    simulate: given.has("simulate") || io.env["MULL_SIMULATE"] === "1",
    isModelGiven: given.has("model"),
    isLevelGiven: given.has("level"),
    ...(resume !== undefined && { resume }),
    ...(budget !== undefined && { thinkingBudget: budget }),
    ...(first.length > 0 && { first }),
    ...(tools.length > 0 && { tools: (await import("../tools/tools.ts")).chooseTools(tools) }),
  });
};

/** A chat is meant when nothing is asked, or when somebody wants to stay after the answer. */
export const isChat = (given: Given, io: Io): boolean =>
  given.has("interactive") ||
  (isAtTerminal(io) &&
    given.words.length === 0 &&
    !["file", "json", "jsonl", "plan"].some((name) => given.has(name)));

const isAtTerminal = ({ terminal }: Io): boolean => terminal.stdin && terminal.stdout;
