import { readQuestion } from "../ask/read-question.ts";
import type { Given } from "../frame/command.ts";
import { isAtTerminal, type Io } from "../frame/io.ts";
import { readCount } from "../frame/read-count.ts";
import { UsageError } from "../frame/usage-error.ts";
import type { ReplOptions } from "../repl/index.ts";
import { cacheHints } from "../session/cache-hints.ts";
import { fallbackRefs } from "../session/fallback-refs.ts";
import { loadSettings } from "./settings.ts";

/** How a chat is started, as options, environment and files say. */
export async function readChatOptions(given: Given, io: Io): Promise<ReplOptions> {
  if (!isAtTerminal(io)) throw new UsageError("-i needs a terminal for input and output.");
  const settings = await loadSettings(given, io);
  const budget = readCount("--thinking-budget", given.text("thinking-budget"));
  const resume = given.text("resume") ?? (given.has("continue") ? "" : undefined);
  const first = await readQuestion(given, io);
  const tools = given.texts("tool");
  const mcp = given.texts("mcp");
  const fallback = fallbackRefs(given);
  return {
    io,
    settings: given.has("hide-thinking") ? { ...settings, think: "hide" } : settings,
    simulate: given.has("simulate") || io.env["MULL_SIMULATE"] === "1",
    isModelGiven: given.has("model"),
    isLevelGiven: given.has("level"),
    ...(resume !== undefined && { resume }),
    ...(mcp.length > 0 && { mcp }),
    allow: given.texts("allow"),
    ...(budget !== undefined && { thinkingBudget: budget }),
    ...(fallback.length > 0 && { fallback }),
    ...cacheHints(given),
    ...(first.length > 0 && { first }),
    ...(tools.length > 0 && { tools: (await import("../tools/tools.ts")).chooseTools(tools) }),
  };
}
