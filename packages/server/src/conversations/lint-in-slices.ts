import { createLoopShare, type LoopShare } from "@mull/store/parts";
import type { Finding, LintReport } from "mull";
import { rulesOf, type RuleInput } from "mull/rules";

/** Runs `lint` rule by rule: over thousands of messages, one run would block everyone else. */
export async function lintInSlices(
  input: RuleInput,
  share: LoopShare = createLoopShare(),
): Promise<LintReport> {
  const findings: Finding[] = [];
  for (const rule of rulesOf(input.wire)) {
    await share.take();
    for (const finding of rule.check(input)) findings.push(finding);
  }
  return { ok: !findings.some(({ severity }) => severity === "error"), findings };
}
