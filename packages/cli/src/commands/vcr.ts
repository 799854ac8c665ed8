import { resolve } from "node:path";

import { exitCodes } from "../frame/exit-code.ts";
import type { Run } from "../frame/command.ts";
import { UsageError } from "../frame/usage-error.ts";

export const run: Run = async (given, io) => {
  const [verb, ...paths] = given.words;
  if ((verb !== "scan" && verb !== "show") || paths.length === 0) {
    throw new UsageError(
      "mull vcr scan PATH… looks for secrets; mull vcr show CASSETTE… prints them.",
    );
  }
  const vcr = await import("@mull/vcr");
  const files = paths.map((path) => resolve(io.cwd, path));
  try {
    if (verb === "show") {
      const shown = files.map((file) => vcr.showCassette(file, { bodies: given.has("bodies") }));
      await io.out(`${shown.join("\n")}\n`);
      return exitCodes.done;
    }
    const secrets = vcr.secretsInEnvironment(io.env);
    const findings = await vcr.scanForSecrets(files, { secrets });
    if (given.has("json"))
      await io.out(`${JSON.stringify({ ok: findings.length === 0, findings })}\n`);
    else await io.out(findings.length === 0 ? "clean\n" : `${vcr.describeFindings(findings)}\n`);
    return findings.length === 0 ? exitCodes.done : exitCodes.findings;
  } catch (error) {
    if (vcr.isVcrError(error)) throw new UsageError(error.message);
    throw error;
  }
};
