import { chat, isMullError, type ChatResult, type Level, type MullError } from "mull";
import { usualModel } from "mull/wire";

import { keyAdvice, loadKeys } from "../config/keys.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import { bars } from "../frame/bars.ts";
import { columns } from "../frame/columns.ts";
import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { say } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { createProgress } from "../frame/progress.ts";
import { exitCodeOfError } from "../frame/report.ts";
import { UsageError } from "../frame/usage-error.ts";
import { readQuestion } from "../ask/read-question.ts";
import { reachAdvice } from "../session/unreachable.ts";
import { askedModels } from "../session/asked-models.ts";
import { chooseBackend } from "../session/backend.ts";
import { estimateStep } from "../session/estimate-thinking.ts";

/** One answer of the sweep, or why there is none. */
export interface SweepRow {
  readonly model: string;
  readonly level: Level;
  readonly applied: Level | null;
  readonly thinkingTokens: number | null;
  readonly thinkingSource: string | null;
  readonly outputTokens: number | null;
  readonly cost: number | null;
  readonly ms: number | null;
  readonly simulated: boolean;
  readonly text: string;
  readonly error?: string;
}

type Measured = Omit<SweepRow, "model" | "level" | "simulated" | "error">;

const unmeasured: Measured = {
  applied: null,
  thinkingTokens: null,
  thinkingSource: null,
  outputTokens: null,
  cost: null,
  ms: null,
  text: "",
};

export const run: RunCommand = async (given, io) => {
  const settings = await loadSettings(given, io);
  const parts = await readQuestion(given, io);
  if (parts.length === 0) throw new UsageError('What is the question? mull sweep "question"');
  const env = loadKeys(io);
  const usual = settings.model ?? usualModel(env);
  const asked = askedModels({ given, usual, usualLevels: ["none", "low", "med", "high"] });
  const simulate = given.has("simulate") || io.env["MULL_SIMULATE"] === "1";
  const rows: SweepRow[] = [];
  const failures: MullError[] = [];
  const steps = asked.flatMap(({ ref, levels }) => levels.map((level) => ({ ref, level })));
  const progress = createProgress(io, steps.length);
  try {
    for (const { ref, level } of steps) {
      io.signal.throwIfAborted();
      const backend = await chooseBackend({
        model: ref,
        level,
        env,
        simulate,
        simulation: { note: false },
      });
      progress.begin(`${backend.target.model.id}/${level}`);
      rows.push(await askOnce({ backend, level, parts, settings, failures, io }));
      progress.done();
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    progress.end();
  }
  const isStopped = rows.length < steps.length;
  if (!isStopped || rows.length > 0) await print(rows, given, io);
  if (isStopped) say(io, `■ stopped: ${rows.length} of ${steps.length}  answers arrived\n`);
  const advice = failures.flatMap((failure) => [
    ...reachAdvice(failure, io.env),
    keyAdvice(failure, io) ?? [],
  ]);
  for (const line of new Set(advice.flat())) say(io, `  fix   ${line}\n`);
  const [first] = failures;
  if (isStopped) return exitCodes.interrupted;
  return first === undefined ? exitCodes.done : exitCodeOfError(first);
};

interface SweepQuestion {
  readonly backend: Awaited<ReturnType<typeof chooseBackend>>;
  readonly level: Level;
  readonly parts: Awaited<ReturnType<typeof readQuestion>>;
  readonly settings: Settings;
  /** Takes what went wrong; the row has only its words. */
  readonly failures: MullError[];
  readonly io: Io;
}

async function askOnce({
  backend,
  level,
  parts,
  settings,
  failures,
  io,
}: SweepQuestion): Promise<SweepRow> {
  const known = { model: backend.target.model.id, level, simulated: backend.isSimulated };
  try {
    const result = await chat(
      backend.target,
      {
        messages: [{ role: "user", parts }],
        ...(settings.system !== undefined && { system: settings.system }),
      },
      { ...backend.options, signal: io.signal },
    );
    return { ...known, ...measure(result) };
  } catch (error) {
    if (!isMullError(error) || error.category === "aborted") throw error;
    failures.push(error);
    return { ...known, ...unmeasured, error: error.message };
  }
}

function measure(result: ChatResult): Measured {
  const { cost, receipt, timing, text } = result;
  const { thinking, thinkingSource, output } = estimateStep(result);
  return {
    applied: receipt.plan.applied,
    thinkingTokens: thinking ?? null,
    thinkingSource: thinkingSource ?? null,
    outputTokens: output ?? null,
    cost: cost?.total ?? null,
    ms: timing.totalMs,
    text,
  };
}

const head = ["model", "level", "thinking", "", "out", "cost", "seconds"] as const;
/** The bars. */
const drawnColumn = head.indexOf("");

async function print(rows: readonly SweepRow[], given: Given, io: Io): Promise<void> {
  if (given.has("json")) return io.out(`${JSON.stringify(rows)}\n`);
  if (given.has("csv")) return io.out(toCsv(rows));
  const drawn = bars(
    rows.map(({ thinkingTokens }) => thinkingTokens ?? 0),
    12,
  );
  const cells = rows.map((row, index) => [
    row.model,
    levelWords(row),
    row.error ?? thinkingWords(row),
    row.error === undefined ? (drawn[index] ?? "") : "",
    row.outputTokens?.toLocaleString("en-US") ?? "",
    row.cost === null ? "" : `$${row.cost.toFixed(4)}`,
    row.ms === null ? "" : (row.ms / 1000).toFixed(1),
  ]);
  const table = columns(head, cells, { terminal: io.terminal });
  const isTooWide = table.split("\n").some((line) => line.length > (io.columns ?? Infinity));
  await io.out(isTooWide ? columns(withoutBars(head), cells.map(withoutBars), io) : table);
  if (rows.some(({ simulated }) => simulated))
    say(io, "simulated: the built-in emulator answered\n");
}

const withoutBars = (row: readonly string[]): readonly string[] =>
  row.filter((_, column) => column !== drawnColumn);

const levelWords = ({ level, applied }: SweepRow): string =>
  applied === null || applied === level || level === "auto" ? level : `${level}→${applied}`;

/** Zero, unknown and estimated are three different things. */
const thinkingWords = ({ thinkingTokens, thinkingSource }: SweepRow): string => {
  if (thinkingTokens === null) return "not reported";
  const about = thinkingSource === "estimated" ? "~" : "";
  return `${about}${thinkingTokens.toLocaleString("en-US")}`;
};

const csvFields = [
  "model",
  "level",
  "applied",
  "thinkingTokens",
  "thinkingSource",
  "outputTokens",
  "cost",
  "ms",
  "simulated",
  "error",
] as const;

const toCsv = (rows: readonly SweepRow[]): string =>
  [
    csvFields.join(","),
    ...rows.map((row) => csvFields.map((field) => cell(row[field])).join(",")),
  ].join("\n") + "\n";

const cell = (value: string | number | boolean | null | undefined): string => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
