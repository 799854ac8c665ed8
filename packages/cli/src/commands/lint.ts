import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { print, say } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { runBatch, type BatchLine } from "../wire-tools/batch.ts";
import {
  hasError,
  judgedRequestOf,
  lintRequest,
  type FindingView,
  type JudgedRequest,
  type LintView,
} from "../wire-tools/lint-request.ts";
import { printJson } from "../wire-tools/print.ts";
import { readRequest, requestFlags } from "../wire-tools/read-request.ts";
import { findingSigns } from "../repl/format.ts";
import { createLook } from "../repl/look.ts";

const withoutModel =
  "⚠ No model is named, so only the rules for every model were checked. Add --model NAME.\n";

export const run: RunCommand = async (given, io) => {
  const flags = requestFlags(given);
  const isFixing = given.has("fix") || given.has("body");
  const batch = given.text("batch");
  if (batch !== undefined) return lintBatch(batch, flags, given, io);
  const [file] = given.words;
  const { envelope, which } = await readRequest(file, io);
  if (which !== undefined) say(io, `${which}\n`);
  const request = judgedRequestOf({ ...envelope, ...flags });
  if (request.model.id === "") say(io, withoutModel);
  const view = lintRequest(request, isFixing, given.has("advice"));
  if (given.has("body")) await printMended(view, given, io);
  else if (io.terminal.stdout && !given.has("json")) await describe(view, request, io);
  else await printJson(view, given, io);
  return hasError(view.left ?? view.findings) ? exitCodes.findings : exitCodes.done;
};

/** Only the body goes to stdout, ready to be sent; what needs a person goes to stderr. */
async function printMended(
  { fixed = {}, left = [] }: LintView,
  given: Given,
  io: Io,
): Promise<void> {
  await printJson(fixed, given, io);
  if (left.length > 0) say(io, `${left.flatMap(describeFinding).join("\n")}\n`);
}

async function lintBatch(path: string, flags: BatchLine, given: Given, io: Io): Promise<number> {
  let errors = 0;
  const { failed } = await runBatch(path, io, (envelope) => {
    const fix = given.has("fix") || given.has("body");
    const request = judgedRequestOf({ ...flags, ...envelope });
    const view = lintRequest(request, fix, given.has("advice"));
    if (hasError(view.left ?? view.findings)) errors++;
    return view;
  });
  return errors + failed > 0 ? exitCodes.findings : exitCodes.done;
}

async function describe(view: LintView, { wire, model }: JudgedRequest, io: Io): Promise<void> {
  const { paint } = createLook(io.env);
  const lines = view.findings.flatMap((finding) =>
    finding.severity === "advice"
      ? describeFinding(finding).map((line) => paint(line, "dim"))
      : describeFinding(finding),
  );
  const countOf = (severity: FindingView["severity"]): number =>
    view.findings.filter((finding) => finding.severity === severity).length;
  const advice = countOf("advice") > 0 ? ` · ${countOf("advice")} advice` : "";
  const judged = `${wire} · ${model.id === "" ? "no model named" : model.id}`;
  const summary = `${count(countOf("error"), "error")} · ${count(countOf("warning"), "warning")}${advice} · ${judged}`;
  const { fixed, repairs = [], left = [] } = view;
  const repaired = [
    ...repairs.map(({ rule, detail }) => `✓ ${rule}  ${detail}`),
    `left: ${count(left.length, "finding")}`,
    ...left.flatMap(describeFinding),
  ];
  const rest = fixed === undefined ? mendHint(view) : repaired;
  await print(io, [...lines, summary, ...rest, ""].join("\n"));
  // Whole, so that it can be copied.
  if (fixed !== undefined) await io.out(`${JSON.stringify(fixed, null, 2)}\n`);
}

/** Advice is left alone unless asked: `--body` by itself would print the request as it is. */
function mendHint({ findings }: LintView): readonly string[] {
  const mendable = findings.filter(({ fix }) => fix !== null);
  if (mendable.length === 0) return [];
  const isAdvice = mendable.every(({ severity }) => severity === "advice");
  return [`  --body${isAdvice ? " --advice" : ""} prints the repaired request`];
}

const describeFinding = (finding: FindingView): readonly string[] => [
  `${findingSigns[finding.severity]} ${finding.path}  ${finding.rule}`,
  `  ${finding.message}`,
  ...(finding.fix === null ? [] : [`  fix: ${finding.fix}`]),
];

const count = (number: number, word: string): string =>
  `${number} ${word}${number === 1 ? "" : "s"}`;
