import { randomBytes } from "node:crypto";

import { hashKey, type GatewayReceipt } from "@mull/gateway";
import { findKey, type ChatTarget, type Environment } from "mull";

import type { RunCommand } from "../frame/command.ts";
import { isAtTerminal, type Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { lookOf } from "../frame/look.ts";
import { listen } from "../gateway/listen.ts";
import { openGateway } from "../gateway/open-gateway.ts";
import { prepareProgram, type PreparedProgram } from "../gateway/prepare-program.ts";
import { summaryLine } from "../gateway/receipt-line.ts";
import { runProgram } from "../gateway/run-program.ts";
import { readGatewaySettings } from "../gateway/settings.ts";
import { fileTrouble } from "../wire-tools/input.ts";
import { resolveRef } from "../session/resolve.ts";

const example = "mull run gpt-6-sol/high -- claude";

export const run: RunCommand = async (given, io) => {
  const line = given.afterDashes ?? [];
  const [command, ...args] = line;
  if (command === undefined || command === "")
    throw new UsageError("Which program? Write it after `--`.", withDashes(given.words));
  const [model, ...more] = given.words.slice(0, given.words.length - line.length);
  if (more.length > 0)
    throw new UsageError("mull run takes one model before `--`.", `For example: ${example}`);
  const settings = await readGatewaySettings(given, io, model);
  const target = settings.model === undefined ? undefined : resolveRef(settings.model);
  // On a loopback port, other people of this machine could spend the user's money.
  const key = `mull-${randomBytes(24).toString("hex")}`;
  const receipts: GatewayReceipt[] = [];
  const access = { clientKeys: [await hashKey(key)] };
  const open = await openGateway(
    settings,
    given,
    io,
    access,
    (receipt) => void receipts.push(receipt),
  );
  if (target !== undefined && !given.has("simulate")) refuseWithoutKey(target, open.env);
  const listening = await listen(open.gateway, { port: 0, host: "127.0.0.1", graceMs: 0 });
  const place = { url: listening.url, key, model: target?.model };
  try {
    const prepared = prepareProgram([command, ...args], place, io);
    try {
      return await runProgram(prepared, { isAtTerminal: isAtTerminal(io), cwd: io.cwd });
    } finally {
      cleanUp(prepared, io);
    }
  } finally {
    await listening.close();
    await open.done();
    if (receipts.length > 0) io.err(`${lookOf(io).dim(`mull · ${summaryLine(receipts)}`)}\n`);
  }
};

/** The same line with the dashes that are missing in it. */
const withDashes = ([model = "", ...program]: readonly string[]): string =>
  program.length === 0
    ? `For example: ${example}`
    : `Did you mean: mull run ${model} -- ${program.join(" ")}`;

/** The next run copies what this one could not, so the program's exit code is still what counts. */
function cleanUp(prepared: PreparedProgram, io: Io): void {
  try {
    prepared.cleanUp();
  } catch (error) {
    const trouble = fileTrouble(error);
    io.err(
      `⚠ The files that ${prepared.command} wrote could not be copied to your home: ${trouble}.\n`,
    );
  }
}

/** Refused here, because the program would try again for minutes before it says so. */
function refuseWithoutKey({ provider }: ChatTarget, env: Environment): void {
  if (provider.auth === "none" || findKey(provider, env) !== undefined) return;
  throw new UsageError(
    `No key for ${provider.name}.`,
    `export ${provider.keyVariables[0]}=…   or   mull keys set ${provider.id}   or try it out: mull run --simulate`,
  );
}
