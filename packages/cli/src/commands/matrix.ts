import type { Run } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { columns } from "../frame/columns.ts";
import { UsageError } from "../frame/usage-error.ts";
import { runMatrix, thinkingRefs } from "../wire-tools/matrix.ts";

export const run: Run = async (given, io) => {
  const filter = given.text("filter") ?? given.words[0];
  const refs = thinkingRefs(filter);
  if (refs.length < 2) {
    throw new UsageError(
      `--filter ${filter}: a handoff needs two models, this leaves ${refs.length}.`,
    );
  }
  const report = runMatrix(refs);
  if (given.has("json")) await io.out(`${JSON.stringify(report)}\n`);
  else {
    const { rows, failures, passed, total, models } = report;
    await io.out(
      columns(
        ["from", "passed", "of"],
        rows.map((row) => [row.from, String(row.passed), String(row.total)]),
      ),
    );
    for (const { from, to, kind, reason } of failures.slice(0, 20)) {
      await io.out(`✗ ${from} → ${to}, ${kind}: ${reason}\n`);
    }
    await io.out(`${passed} of ${total} handoffs between ${models} models are valid\n`);
  }
  return report.failures.length === 0 ? exitCodes.done : exitCodes.findings;
};
