import type { McpTools } from "@mull/mcp";
import { Agent, isMullError, type AgentResult, type MullError, type UserPart } from "mull";

import { exitCodeOfError, exitCodeOfFinish, failed, succeeded } from "../ask/outcome.ts";
import { jsonlPrinter, jsonPrinter, textPrinter, type Printer } from "../ask/printer.ts";
import { readQuestion } from "../ask/read-question.ts";
import { askOnTerminal } from "../ask/ask-on-terminal.ts";
import { openSaver, resumedRef, type Saver } from "../ask/saver.ts";
import { showPlan } from "../ask/show-plan.ts";
import { keyAdvice, loadKeys } from "../config/keys.ts";
import { pathsOf } from "../config/paths.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { say } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { lookOf } from "../frame/look.ts";
import { readCount } from "../frame/read-count.ts";
import { describeMullError } from "../frame/report.ts";
import { UsageError } from "../frame/usage-error.ts";
import { AnswerDraft } from "../repl/answer.ts";
import { waitAdvice } from "../repl/error-text.ts";
import { describeWait } from "../repl/format.ts";
import { replClock } from "../repl/terminal.ts";
import { chooseBackend, type Backend, type BackendAsk } from "../session/backend.ts";
import { cacheHints } from "../session/cache-hints.ts";
import { fallbackRefs } from "../session/fallback-refs.ts";
import { modelAdvice } from "../session/resolve.ts";
import { reachAdvice } from "../session/unreachable.ts";
import { putOnTape, type CassetteTape } from "../session/tape.ts";
import { tellWait } from "../session/tell-wait.ts";
import { withDecisions, type Decide } from "../session/with-decisions.ts";
import { chooseTools } from "../tools/tools.ts";

/** One question, one answer. */
export const run: RunCommand = (given, io) => ask(given, io);

/** The same with the exchange put on a cassette or taken from one. */
export async function ask(given: Given, io: Io, tape?: CassetteTape): Promise<number> {
  const settings = await loadSettings(given, io);
  const parts = await readQuestion(given, io);
  if (parts.length === 0) {
    throw new UsageError("There is nothing to ask.", 'mull "question", or text piped in.');
  }
  const simulate = given.has("simulate") || io.env["MULL_SIMULATE"] === "1";
  const isOffline = given.has("plan") || tape?.mode === "replay";
  // A notice on stderr is enough if it is on the same screen.
  const simulation = { note: !(io.terminal.stdout && io.terminal.stderr) };
  const around = { env: loadKeys(io), simulate, isOffline, simulation };
  const plain = await chooseResumed(given, settings, around, io);
  const taped = tape === undefined ? undefined : await putOnTape(plain, tape, io);
  const backend = taped?.backend ?? plain;
  const saver = await openSaverFor(given, settings, backend, io);
  if (given.has("plan")) {
    await showPlan({ given, io, settings, backend, parts, history: saver.history });
    return exitCodes.done;
  }
  const mcp = await openServers(given, io);
  try {
    const watching = { ...backend, options: watched(backend, given, io) };
    const agent = makeAgent(given, settings, watching, saver, mcp);
    if (backend.isSimulated) say(io, simulatedNotice(io, simulate));
    const printer = printerOf(given, settings, io);
    const decide = askOnTerminal(io, given.texts("allow"));
    const code = await runTurn({ agent, parts, saver, printer, backend, decide, io });
    await taped?.done();
    return code;
  } finally {
    await mcp?.close();
  }
}

/** Loaded only if it is needed: the MCP client takes as long as everything else. */
async function openServers(given: Given, io: Io): Promise<McpTools | undefined> {
  const servers = given.texts("mcp");
  if (servers.length === 0) return undefined;
  const { openMcp, startingMcp } = await import("../tools/mcp-servers.ts");
  io.redraw?.(lookOf(io).spell(startingMcp));
  return openMcp(servers, io, { signal: io.signal }).finally(() => io.redraw?.(""));
}

const resumeOf = (given: Given): string | undefined =>
  given.text("resume") ?? (given.has("continue") ? "" : undefined);

/** A conversation keeps its own model and level, unless others are named or its key is gone. */
async function chooseResumed(
  given: Given,
  settings: Settings,
  around: Pick<BackendAsk, "env" | "simulate" | "isOffline" | "simulation">,
  io: Io,
): Promise<Backend> {
  const resume = resumeOf(given);
  const ref =
    resume === undefined || given.has("model")
      ? undefined
      : await resumedRef(pathsOf(io).conversations, resume);
  if (ref === undefined) return chooseBackend({ ...settings, ...around });
  const level = given.text("level");
  // A plan shows which model would answer, and that depends on the keys.
  const isOffline = around.isOffline === true && !given.has("plan");
  const own = { ...around, isOffline, model: ref };
  try {
    return await chooseBackend({ ...own, ...(level !== undefined && { level }) });
  } catch (error) {
    const backend = await chooseBackend({ ...settings, ...around });
    const why = error instanceof Error ? error.message : String(error);
    const { model } = backend.target;
    say(io, `${lookOf(io).spell("⚠")} ${why} Continuing with ${model.id}.\n`);
    return backend;
  }
}

const openSaverFor = (
  given: Given,
  settings: Settings,
  backend: Backend,
  io: Io,
): Promise<Saver> => {
  const resume = resumeOf(given);
  const { provider, model, level } = backend.target;
  return openSaver({
    folder: pathsOf(io).conversations,
    ...(resume !== undefined && { resume }),
    save: settings.save !== false && !given.has("plan"),
    ref: `${provider.id}:${model.id}/${level}`,
    warn: (message) => say(io, `${lookOf(io).spell("⚠")} ${message}\n`),
  });
};

/** On a terminal, say when a retry is waiting. */
function watched({ options }: Backend, given: Given, io: Io): Backend["options"] {
  if (!io.terminal.stderr || given.has("quiet")) return options;
  const tell = (ms: number, why: string): void => {
    io.err(lookOf(io).dim(`… ${describeWait(ms, why)}\n`));
  };
  return { ...options, sleep: tellWait(replClock, tell) };
}

function makeAgent(
  given: Given,
  settings: Settings,
  backend: Backend,
  saver: Saver,
  mcp: McpTools | undefined,
): Agent {
  const budget = readCount("--thinking-budget", given.text("thinking-budget"));
  const tools = chooseTools(given.texts("tool"));
  const fallback = fallbackRefs(given);
  return new Agent(backend.target, {
    ...backend.options,
    ...(saver.history !== undefined && { history: saver.history }),
    ...(settings.system !== undefined && { system: settings.system }),
    ...(settings.maxOutput !== undefined && { maxOutputTokens: settings.maxOutput }),
    ...(budget !== undefined && { thinkingBudget: budget }),
    tools: () => [...tools, ...(mcp?.tools ?? [])],
    ...(fallback.length > 0 && { fallback }),
    ...cacheHints(given),
    heal: settings.repair === false ? "fail" : "repair",
  });
}

function printerOf(given: Given, settings: Settings, io: Io): Printer {
  if (given.has("jsonl")) return jsonlPrinter(io);
  if (given.has("json")) return jsonPrinter(io);
  return textPrinter(io, {
    hideThinking: given.has("hide-thinking") || settings.think === "hide",
    quiet: given.has("quiet"),
    plain: settings.plain === true || io.env["TERM"] === "dumb",
  });
}

interface TurnToPrint {
  readonly agent: Agent;
  readonly parts: readonly UserPart[];
  readonly saver: Saver;
  readonly printer: Printer;
  readonly backend: Backend;
  readonly decide: Decide;
  readonly io: Io;
}

async function runTurn({
  agent,
  parts,
  saver,
  printer,
  backend,
  decide,
  io,
}: TurnToPrint): Promise<number> {
  const model = backend.target.model.id;
  let conversation = saver.name;
  let result: AgentResult | undefined;
  let failure: MullError | undefined;
  const draft = new AnswerDraft(agent.history.length);
  const startedAt = replClock.now();
  const options = { signal: io.signal };
  const stream = withDecisions(agent, agent.sendStream(parts, options), decide, options);
  try {
    await saver.begin(parts);
    for await (const event of stream.events) {
      if (event.type === "step") draft.add(event.result);
      if (event.type === "turn") result = event.result;
      await saver.event(event);
      await printer.event(event);
    }
  } catch (error) {
    if (!isMullError(error)) throw error;
    failure = error;
    draft.cut(error.category === "aborted" ? "stopped" : "failed", stream.receipts());
  } finally {
    const answer = draft.finish(replClock.now() - startedAt, agent.history.length);
    conversation = await saver.end(agent.history, answer);
  }
  const known = { model, conversation };
  if (failure !== undefined) {
    const advice = adviceFor(failure, known.model, io);
    await printer.end(failed(failure, known, stream.receipts(), advice));
    if (failure.category !== "aborted") say(io, describeMullError(failure, advice));
    return exitCodeOfError(failure);
  }
  if (result === undefined) throw new Error("the turn ended without a result");
  await printer.end(succeeded(result, known));
  return exitCodeOfFinish(result.finish);
}

/** Advice for errors that have none of their own. */
function adviceFor(failure: MullError, model: string, io: Io): string | undefined {
  const lines = [...reachAdvice(failure, io.env), ...waitAdvice(failure)];
  return lines.length > 0
    ? lines.join("\n        ")
    : (keyAdvice(failure, io) ?? modelAdvice(failure, model));
}

function simulatedNotice(io: Io, isAsked: boolean): string {
  const why = isAsked
    ? "simulated, as asked: the built-in emulator answers by rule."
    : "simulated: no API key found, the built-in emulator answers by rule.\n  For a real model: export ANTHROPIC_API_KEY=… (or OPENAI_, GOOGLE_), or mull keys set anthropic";
  return `${lookOf(io).spell(`⚠ ${why}`)}\n`;
}
