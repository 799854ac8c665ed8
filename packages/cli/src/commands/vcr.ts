import { resolve } from "node:path";

import { loadKeys } from "../config/keys.ts";
import type { Cassette, Exchange, SecretFinding } from "@mull/vcr";

import { exitCodes } from "../frame/exit-code.ts";
import type { RunCommand } from "../frame/command.ts";
import { UsageError } from "../frame/usage-error.ts";

export interface ScanView {
  readonly ok: boolean;
  readonly findings: readonly SecretFinding[];
}

export interface CassetteView {
  readonly file: string;
  readonly recorded: string;
  readonly ignore: readonly string[];
  readonly exchanges: readonly object[];
}

export const run: RunCommand = async (given, io) => {
  const [verb, ...paths] = given.words;
  if ((verb !== "scan" && verb !== "show") || paths.length === 0) {
    throw new UsageError(
      "mull vcr scan PATH… looks for secrets; mull vcr show CASSETTE… prints exchanges.",
    );
  }
  if (verb === "scan" && given.has("bodies"))
    throw new UsageError("--bodies belongs to mull vcr show.");
  const vcr = await import("@mull/vcr");
  const files = paths.map((path) => resolve(io.cwd, path));
  try {
    if (verb === "show") {
      const bodies = given.has("bodies");
      const shown = given.has("json")
        ? JSON.stringify(files.map((file) => viewCassette(vcr.readCassette(file), bodies)))
        : files.map((file) => vcr.showCassette(file, { bodies })).join("\n");
      await io.out(`${shown}\n`);
      return exitCodes.done;
    }
    const secrets = vcr.secretsInEnvironment(loadKeys(io, () => undefined));
    const findings = await vcr.scanForSecrets(files, { secrets });
    const view: ScanView = { ok: findings.length === 0, findings };
    if (given.has("json")) await io.out(`${JSON.stringify(view)}\n`);
    else await io.out(findings.length === 0 ? "clean\n" : `${vcr.describeFindings(findings)}\n`);
    return findings.length === 0 ? exitCodes.done : exitCodes.findings;
  } catch (error) {
    if (vcr.isVcrError(error)) throw new UsageError(error.message);
    throw error;
  }
};

const viewCassette = ({ file, header, exchanges }: Cassette, bodies: boolean): CassetteView => ({
  file,
  recorded: header.recorded,
  ignore: header.ignore,
  exchanges: exchanges.map((exchange) => viewExchange(exchange, bodies)),
});

const viewExchange = (exchange: Exchange, bodies: boolean): object => {
  const { line, request, response, failure, deliveries, endAt, end } = exchange;
  const received = Buffer.concat(deliveries.map(({ bytes }) => bytes));
  return {
    line,
    method: request.method,
    url: request.url,
    status: response?.status ?? null,
    type: response?.headers["content-type"] ?? null,
    deliveries: deliveries.length,
    bytes: received.length,
    ms: endAt,
    end,
    ...(failure !== undefined && { failure: failure.message }),
    ...(bodies && {
      sent: request.json ?? request.text ?? request.base64 ?? "",
      received: received.toString("utf8"),
    }),
  };
};
