import type { ErrorCategory } from "mull";
import type { Exchange } from "mull/wire";

import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodeOf, exitCodes } from "../frame/exit-code.ts";
import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { runBatch } from "../wire-tools/batch.ts";
import { asEnvelope } from "../wire-tools/envelope.ts";
import { readInput } from "../wire-tools/input.ts";
import { printJson } from "../wire-tools/print.ts";
import { decodeExchange, exchangeOf } from "../wire-tools/read-reply.ts";

export const run: RunCommand = async (given, io) => {
  const batch = given.text("batch");
  if (batch !== undefined) {
    await runBatch(batch, io, (envelope) =>
      decodeExchange(exchangeOf({ wire: given.text("wire"), ...envelope })),
    );
    return exitCodes.done;
  }
  const outcome = decodeExchange(await readExchangeFile(given, io));
  await printJson(outcome, given, io);
  return "error" in outcome ? exitCodeOf(outcome.error.category as ErrorCategory) : exitCodes.done;
};

async function readExchangeFile(given: Given, io: Io): Promise<Exchange> {
  const body = await readInput(given.words[0], io);
  const envelope = asEnvelope(body, ["body", "body_text"]);
  const status = readStatus(given.text("status"));
  const model = given.text("model");
  const flags = {
    ...(given.has("stream") && { stream: true }),
    ...(status !== undefined && { status }),
    ...(model !== undefined && { model }),
  };
  if (envelope !== undefined) {
    const wire = given.text("wire") ?? envelope["wire"];
    return { ...exchangeOf({ ...envelope, wire }), ...flags };
  }
  return { ...exchangeOf({ wire: given.text("wire"), body_text: body, model }), ...flags };
}

function readStatus(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const status = Number(text);
  if (Number.isInteger(status) && status >= 100 && status <= 599) return status;
  throw new UsageError(`--status: ${JSON.stringify(text)} is not allowed. Allowed: 100 to 599`);
}
