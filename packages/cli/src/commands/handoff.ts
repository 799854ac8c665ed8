import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { runBatch, type BatchLine } from "../wire-tools/batch.ts";
import { liftSide } from "../wire-tools/envelope.ts";
import { handOff, type HandOff } from "../wire-tools/hand-off.ts";
import { readInput, readJsonFile } from "../wire-tools/input.ts";
import { printJson } from "../wire-tools/print.ts";
import { bodyText, numberIn } from "../wire-tools/read-reply.ts";
import { readTools } from "../wire-tools/tool-specs.ts";
import { readWire } from "../wire-tools/wire-words.ts";

export const run: RunCommand = async (given, io) => {
  const batch = given.text("batch");
  if (batch !== undefined) {
    const flags = await flagsOf(given, io);
    await runBatch(batch, io, async (envelope) =>
      handOff(await readHandOff({ ...flags, ...envelope }, io)),
    );
    return exitCodes.done;
  }
  const reply = await readInput(given.text("from-reply") ?? given.words[0], io);
  const view = handOff(await readHandOff({ ...(await flagsOf(given, io)), body_text: reply }, io));
  await printJson(view, given, io);
  return view.lint.ok ? exitCodes.done : exitCodes.findings;
};

async function flagsOf(given: Given, io: Io): Promise<BatchLine> {
  const tools = given.text("tools");
  const results = given.text("results");
  const named = ["wire", "from", "to", "system", "user", "follow-up"].flatMap((name) => {
    const text = given.text(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  return {
    ...Object.fromEntries(named),
    ...(given.has("stream") && { stream: true }),
    ...(tools !== undefined && { tools: await readJsonFile(tools, io) }),
    ...(results !== undefined && { results: await readJsonFile(results, io) }),
  };
}

/** Fields of a batch line, in any of the spellings of their flags. */
async function readHandOff(logged: BatchLine, io: Io): Promise<HandOff> {
  const envelope = liftSide(logged, "response");
  const reply =
    field(envelope, "body_text") ?? field(envelope, "from-reply") ?? field(envelope, "reply");
  const tools = await inlineOrFile(field(envelope, "tools"), io);
  const results = await inlineOrFile(field(envelope, "results"), io);
  const { stream } = envelope;
  const status = numberIn(envelope["status"]);
  const texts = ["system", "user"].flatMap((name) => {
    const text = envelope[name];
    return typeof text === "string" ? [[name, text] as const] : [];
  });
  const followUp = field(envelope, "follow-up");
  return {
    ...Object.fromEntries(texts),
    wire: readWire(envelope["wire"] ?? envelope["api"]),
    reply: await replyText(reply ?? envelope["body"], io),
    from: needed({ from: envelope["model"], ...envelope }, "from"),
    to: needed(envelope, "to"),
    ...(typeof stream === "boolean" && { stream }),
    ...(status !== undefined && { status }),
    ...(tools !== undefined && { tools: readTools(tools) }),
    ...(results !== undefined && { results }),
    ...(typeof followUp === "string" && { followUp }),
  };
}

/** `follow-up`, `follow_up` and `followUp` are one field. */
const field = (envelope: BatchLine, name: string): unknown =>
  envelope[name] ??
  envelope[name.replaceAll("-", "_")] ??
  envelope[name.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())];

const looksLikePath = (text: string): boolean =>
  text.length < 1024 && !/[\n{[:]/.test(text) && /[./\\]/.test(text);

const replyText = async (reply: unknown, io: Io): Promise<string> =>
  typeof reply === "string" && looksLikePath(reply) ? readInput(reply, io) : bodyText(reply);

const inlineOrFile = async (value: unknown, io: Io): Promise<unknown> =>
  typeof value === "string" && looksLikePath(value) ? readJsonFile(value, io) : value;

function needed(envelope: BatchLine, name: string): string {
  const value = envelope[name];
  if (typeof value === "string" && value !== "") return value;
  throw new UsageError(`Which model? Add --${name} MODEL${name === "to" ? "[/LEVEL]" : ""}.`);
}
