import { randomUUID } from "node:crypto";

import { costOf, isMullError, repair, type MullError, type Reply } from "mull";
import { heal } from "mull/rules";
import { grouped, hasAnyKey, nodePost, type HttpAnswer, type Post } from "mull/wire";

import { exitCodeOfFinish } from "../ask/outcome.ts";
import { textPrinter } from "../ask/printer.ts";
import { keyAdvice, loadKeys } from "../config/keys.ts";
import type { Given, RunCommand } from "../frame/command.ts";
import { say } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { lookOf } from "../frame/look.ts";
import { describeMullError, exitCodeOfError } from "../frame/report.ts";
import { describeCost, seconds } from "../repl/format.ts";
import { missingKey } from "../session/backend.ts";
import { estimateStep } from "../session/estimate-thinking.ts";
import { modelAdvice } from "../session/resolve.ts";
import { toTerminal } from "../session/to-terminal.ts";
import { reachAdvice } from "../session/unreachable.ts";
import { destinationOf, type Destination } from "../wire-tools/destination.ts";
import {
  hasError,
  judgedRequestOf,
  lintRequest,
  type JudgedRequest,
} from "../wire-tools/lint-request.ts";
import { viewFailure, viewReply } from "../wire-tools/read-reply.ts";
import { readRequest, requestFlags } from "../wire-tools/read-request.ts";
import { sendBody } from "../wire-tools/send-body.ts";

/** Sends a request as it is in a file, or repaired, and shows the answer. */
export const run: RunCommand = async (given, io) => {
  const [file] = given.words;
  const { envelope, text, which } = await readRequest(file, io);
  if (which !== undefined) say(io, `${which}\n`);
  const { headers = {}, ...flags } = requestFlags(given);
  const request = judgedRequestOf({ ...envelope, ...flags });
  const env = loadKeys(io);
  const to = given.text("to");
  const named = headers as Readonly<Record<string, string>>;
  const destination = destinationOf({ request, envelope, headers: named, to, env });
  const simulate = given.has("simulate") || io.env["MULL_SIMULATE"] === "1";
  const isSimulated = simulate || (destination.isLocked && !hasAnyKey(env));
  if (destination.isLocked && !isSimulated) throw missingKey(destination.provider);
  const post = isSimulated ? await simulatedPost(io) : (nodePost() ?? fetch);
  const call: SendRun = { given, io, request, destination, post, isSimulated, file };
  say(io, `${lookOf(io).spell(headLine(call))}\n`);
  if (isSimulated) say(io, lookOf(io).spell(simulatedLine(simulate)));
  if (!given.has("fix"))
    return finish(call, await attempt(call, text ?? JSON.stringify(request.body)));
  return sendRepaired(call);
};

interface SendRun {
  readonly given: Given;
  readonly io: Io;
  readonly request: JudgedRequest;
  readonly destination: Destination;
  readonly post: Post;
  readonly isSimulated: boolean;
  readonly file: string | undefined;
}

/** How one try ended. */
interface Tried {
  readonly outcome: Reply | MullError;
  /** With --raw, the service's refusal. */
  readonly refusal: string;
  readonly answer: HttpAnswer | undefined;
  readonly ms: number;
}

async function simulatedPost({ terminal }: Io): Promise<Post> {
  const { simulate } = await import("../session/simulated.ts");
  const emulator = simulate({ note: !(terminal.stdout && terminal.stderr) });
  return (url, init) => emulator(url, init);
}

const simulatedLine = (isAsked: boolean): string =>
  isAsked
    ? "⚠ simulated, as asked: the built-in emulator answers in its place.\n"
    : "⚠ simulated: no API key found, the built-in emulator answers in its place. To store a key: mull keys set anthropic\n";

/** Prints the wire and the address. A query may hold a key. */
const headLine = ({ request, destination, isSimulated }: SendRun): string =>
  [
    `→ ${request.wire}`,
    request.model.id === "" ? "no model named" : request.model.id,
    `POST ${destination.url.replace(/\?.*$/, "")}`,
    ...(isSimulated ? [] : [destination.key]),
  ].join(" · ");

/** Repairs the request before it is sent, and once more if the service refuses it anyway. */
async function sendRepaired(call: SendRun): Promise<number> {
  const { request, io } = call;
  const repaired = repair(request);
  tellRepairs(repaired.repairs, io);
  const tried = await attempt(call, JSON.stringify(repaired.body));
  if (!isMullError(tried.outcome)) return finish(call, tried);
  const healed = heal({ ...request, body: repaired.body, error: tried.outcome });
  if (healed === undefined) return finish(call, tried);
  say(io, describeMullError(tried.outcome));
  tellRepairs([healed.repair], io);
  return finish(call, await attempt(call, JSON.stringify(healed.body)));
}

function tellRepairs(
  repairs: readonly { readonly rule: string; readonly detail: string }[],
  io: Io,
): void {
  const { spell } = lookOf(io);
  for (const { rule, detail } of repairs) say(io, `${spell("✓")} repaired ${rule}: ${detail}\n`);
}

async function attempt(call: SendRun, body: string): Promise<Tried> {
  const { given, io, request, destination, post } = call;
  const isRaw = given.has("raw");
  const isShown = !isRaw && !given.has("json");
  const printer = textPrinter(io, {
    hideThinking: given.has("hide-thinking"),
    quiet: false,
    plain: false,
  });
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const startedAt = io.now();
  let answer: HttpAnswer | undefined;
  let refusal = "";
  const ended = async (outcome: Reply | MullError): Promise<Tried> => {
    await printer.endRow();
    return { outcome, refusal, answer, ms: io.now() - startedAt };
  };
  try {
    const reply = await sendBody({
      request,
      destination,
      body,
      post,
      signal: io.signal,
      now: io.now,
      newId: () => `call_${randomUUID()}`,
      onStatus: (arrived) => {
        answer = arrived;
      },
      onBytes: async (bytes) => {
        const text = isRaw ? decoder.decode(bytes, { stream: true }) : "";
        // With --fix another try may follow a refusal: only the last one is printed.
        if (answer?.ok === true) await io.out(text);
        else refusal += text;
      },
      onEvent: async (event) => {
        if (isShown && event.type !== "finish")
          await printer.event({ type: "answer", step: 0, event });
      },
    });
    return await ended(reply);
  } catch (error) {
    if (!isMullError(error)) throw error;
    return ended(error);
  }
}

async function finish(call: SendRun, tried: Tried): Promise<number> {
  const { given, io } = call;
  const { outcome, refusal, answer } = tried;
  const isFailed = isMullError(outcome);
  if (given.has("json")) {
    const view = isFailed ? viewFailure(outcome, answer?.status) : viewReply(outcome);
    await io.out(`${JSON.stringify(view)}\n`);
  } else if (given.has("raw")) await io.out(refusal);
  else if (!isFailed) await printCalls(outcome, io);
  if (isFailed) {
    if (outcome.category !== "aborted")
      say(io, describeMullError(outcome, adviceFor(call, outcome)));
    return exitCodeOfError(outcome);
  }
  say(io, `${lookOf(io).dim(receiptLine(call, outcome, tried))}\n`);
  return exitCodeOfFinish(outcome.finish);
}

/** A call is the answer here: nobody runs it. */
async function printCalls({ message }: Reply, io: Io): Promise<void> {
  const { spell } = lookOf(io);
  for (const part of message.parts) {
    if (part.type !== "tool-call") continue;
    const line = `${spell("▸")} ${part.name} ${JSON.stringify(part.input)}`;
    await io.out(`${io.terminal.stdout ? toTerminal(line) : line}\n`);
  }
}

const count = (word: string, tokens: number | undefined): readonly string[] =>
  tokens === undefined ? [] : [`${word} ${grouped(tokens)}`];

function receiptLine({ request }: SendRun, reply: Reply, { answer, ms }: Tried): string {
  const usage = estimateStep(reply);
  const cost = costOf(usage, request.model);
  return [
    String(answer?.status ?? 200),
    reply.finish.reason,
    ...count("in", usage.input),
    ...count("cache", usage.cacheRead || undefined),
    ...count("thinking", usage.thinking),
    ...count("out", usage.output),
    ...(cost === undefined ? [] : [describeCost(cost)]),
    seconds(ms),
  ].join(" · ");
}

/** What to do: the rule that is broken, the key, the name, or the address. */
function adviceFor(
  { given, io, request, file, isSimulated }: SendRun,
  error: MullError,
): string | undefined {
  const to = given.text("to") ?? "";
  if (error.category === "network" && to.includes("://"))
    return `Check the address: --to ${to}. Is its server running?`;
  const reach = isSimulated ? [] : reachAdvice(error, io.env);
  if (reach.length > 0) return reach.join("\n        ");
  const known = keyAdvice(error, io) ?? modelAdvice(error, request.model.id);
  if (known !== undefined || error.category !== "invalid_argument") return known;
  const isBroken =
    hasError(lintRequest(request, false).findings) || heal({ ...request, error }) !== undefined;
  const name = file ?? "-";
  return isBroken && !given.has("fix")
    ? `Add --fix: it repairs the request first. mull lint ${name} says what is wrong.`
    : undefined;
}
