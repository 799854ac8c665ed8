import { parseModelRef } from "mull";

import { columns } from "../frame/columns.ts";
import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import type { Io } from "../frame/io.ts";
import { createProgress, type Progress } from "../frame/progress.ts";
import { UsageError } from "../frame/usage-error.ts";
import { handoffMatrix, thinkingModels, type HandoffReport } from "../handoff/handoff-matrix.ts";

export interface MatrixView extends Omit<HandoffReport, "models"> {
  readonly models: number;
  readonly rows: readonly MatrixRow[];
}

interface MatrixRow {
  readonly from: string;
  readonly passed: number;
  readonly total: number;
}

export const run: RunCommand = async (given, io) => {
  const filter = given.text("filter") ?? given.words[0];
  const refs = thinkingRefs(filter);
  if (refs.length < 2) {
    throw new UsageError(
      `--filter ${filter}: a handoff needs two models, this leaves ${refs.length}.`,
    );
  }
  const view = runMatrix(refs, createProgress(io, refs.length));
  if (given.has("json")) await io.out(`${JSON.stringify(view)}\n`);
  else await print(view, io);
  return view.failures.length === 0 ? exitCodes.done : exitCodes.findings;
};

/** Refs of every model of the catalogue that thinks, each once, at the first who serves it. */
function thinkingRefs(filter = ""): readonly string[] {
  const words = filter.split(",");
  const refs = new Map<string, string>();
  for (const ref of thinkingModels()) {
    const { name } = parseModelRef(ref);
    if (!refs.has(name)) refs.set(name, ref);
  }
  return [...refs.values()].filter((ref) => words.some((word) => ref.includes(word)));
}

function runMatrix(models: readonly string[], progress: Progress): MatrixView {
  const rows: MatrixRow[] = [];
  const report = handoffMatrix({
    models,
    level: "high",
    onStart: (from) => progress.begin(from.slice(from.indexOf(":") + 1)),
    onModel: (from, passed, total) => {
      rows.push({ from, passed, total });
      progress.done();
    },
  });
  progress.end();
  return { ...report, models: report.models.length, rows };
}

async function print(view: MatrixView, io: Io): Promise<void> {
  const { rows, failures, leftOut, passed, total, models } = view;
  const cells = rows.map((row) => [row.from, String(row.passed), String(row.total)]);
  await io.out(columns(["from", "passed", "of"], cells, io));
  for (const { from, to, kind, faults } of failures.slice(0, 20))
    await io.out(`✗ ${from} → ${to}, ${kind}: ${faults.join("; ")}\n`);
  for (const { model, reason } of leftOut) await io.out(`left out: ${model}, ${reason}\n`);
  await io.out(`${passed} of ${total} handoffs between ${models} models are valid\n`);
}
