import { History, type Message } from "mull";

import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { UsageError } from "../frame/usage-error.ts";
import { readCount } from "../frame/read-count.ts";
import { parseJson, readInput, readJsonFile } from "../wire-tools/input.ts";
import { printJson } from "../wire-tools/print.ts";
import { resolveRef } from "../session/resolve.ts";
import { viewRequest } from "../wire-tools/request-view.ts";
import { readTools } from "../wire-tools/tool-specs.ts";

export const run: RunCommand = async (given, io) => {
  const [ref, file] = given.words;
  if (ref === undefined) throw new UsageError("Which model? mull encode MODEL[/LEVEL] --history F");
  if (file !== undefined && given.has("history"))
    throw new UsageError(`--history and ${JSON.stringify(file)} can't be used together.`);
  const target = resolveRef(ref);
  const history = readHistory(await readInput(given.text("history") ?? file, io));
  const toolFile = given.text("tools");
  const system = given.text("system");
  const room = readCount("--max-output", given.text("max-output"), 1);
  const budget = readCount("--thinking-budget", given.text("thinking-budget"));
  const view = viewRequest(target, {
    messages: history.messages,
    ...(system !== undefined && { system }),
    ...(toolFile !== undefined && { tools: readTools(await readJsonFile(toolFile, io)) }),
    ...(room !== undefined && { maxOutputTokens: room }),
    ...(budget !== undefined && { thinkingBudget: budget }),
  });
  await printJson(view, given, io);
  return view.lint.ok ? exitCodes.done : exitCodes.findings;
};

/** A history as `JSON.stringify(history)` wrote it, a list of messages, or one question as text. */
export function readHistory(text: string): History {
  if (text.trim() === "") throw new UsageError("The history is empty: there is nothing to send.");
  if (!/^[\uFEFF\s]*[[{]/.test(text)) {
    return History.from([{ role: "user", parts: [{ type: "text", text: text.trim() }] }]);
  }
  const value = parseJson(text, "The history");
  if (Array.isArray(value)) return History.from(value as readonly Message[]);
  return History.parse(value as Parameters<typeof History.parse>[0]);
}
