import {
  describeRoom,
  describeSending,
  lint,
  type ChatTarget,
  type Message,
  type ThinkingPart,
  type ThinkingPlan,
  resolveModel,
} from "mull";
import { grouped, plural } from "mull/wire";
import { keepSetting } from "../../config/keep-setting.ts";
import { pathsOf } from "../../config/paths.ts";
import { describeCount } from "../../session/describe-count.ts";
import { sharesOf, type LedgerEntry } from "../answer.ts";
import { findingSigns } from "../format.ts";
import { ledgerLines } from "../ledger-text.ts";
import { receiptLines } from "../receipt-text.ts";
import { turningText } from "../switch-text.ts";
import { thinkingModes, whyNoThinking, type ThinkingMode } from "../thinking-view.ts";
import { toTerminal } from "../to-terminal.ts";
import type { Chat, SlashCommand } from "./command.ts";
import { resolveOrSuggest } from "./model.ts";

/** Answer `word`, or the last one. */
export function pickAnswer(word: string, { session }: Chat): readonly [LedgerEntry, number] {
  const { answers } = session;
  if (answers.length === 0) throw new Error("There is no answer yet.");
  const number = word.trim() === "" ? answers.length : Number(word);
  const answer = answers[number - 1];
  if (answer === undefined || !Number.isInteger(number))
    throw new Error(
      `There is no answer ${JSON.stringify(word.trim())}. Answers: 1 to ${answers.length}.`,
    );
  return [answer, number];
}

export function showReceipt(words: string, chat: Chat): void {
  const [answer, number] = pickAnswer(words, chat);
  chat.say(receiptLines(answer, number, chat.io.columns));
}

async function runThink(words: string, chat: Chat): Promise<void> {
  const word = words.trim();
  if ((thinkingModes as readonly string[]).includes(word)) {
    await chooseThinking(word as ThinkingMode, chat);
    return;
  }
  if (word === "" || /^\d+$/.test(word)) {
    await pageThinking(word, chat);
    return;
  }
  throw new Error(`/think ${word}: say ${thinkingModes.join(", ")}, or the number of an answer.`);
}

/** Holds at once, and for every chat to come if the user's file can be written. */
async function chooseThinking(mode: ThinkingMode, chat: Chat): Promise<void> {
  chat.setThinkingMode(mode);
  chat.say([`✓ Thinking is shown: ${mode}`], "good");
  try {
    await chat.keep(keepSetting(pathsOf(chat.io).userConfig, "think", mode));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    chat.say([`⚠ For this chat only: ${why}`], "note");
  }
}

/**
 * The thinking of an answer on a screen of its own: what has scrolled is never unfolded. Where there
 * is none to read, one line says why.
 */
export async function pageThinking(word: string, chat: Chat): Promise<void> {
  const { history, answers } = chat.session;
  // Behind the last answer may lie one of a chat that was killed: it has no receipt, but it did think.
  const cut = history.messages.slice(answers.at(-1)?.after ?? 0);
  if (word === "" && cut.some(({ role }) => role === "assistant")) {
    await pageThoughts(cutAnswer, cut.flatMap(thoughtsOf), chat);
    return;
  }
  const [answer, number] = pickAnswer(word, chat);
  const thoughts = history.messages.slice(answer.before, answer.after).flatMap(thoughtsOf);
  const what = answer.cut === undefined ? `answer ${number} of ${answer.model}` : cutAnswer;
  await pageThoughts(what, thoughts, chat, answer);
}

const cutAnswer = "the answer that was cut";

async function pageThoughts(
  what: string,
  thoughts: readonly ThinkingPart[],
  chat: Chat,
  answer?: LedgerEntry,
): Promise<void> {
  const texts = thoughts.map(({ text }) => text).filter((text) => text !== "");
  if (texts.length > 0) {
    await chat.page(`thinking of ${what}`, toTerminal(texts.join("\n\n")));
    return;
  }
  const why = whyNoThinking(thoughts, answer?.usage ?? {}, answer?.receipts.at(-1));
  chat.say([`No thinking to read in ${what}: ${why}.`], "note");
}

const thoughtsOf = (message: Message): readonly ThinkingPart[] =>
  message.role === "assistant" ? message.parts.filter((part) => part.type === "thinking") : [];

/** Nothing is sent, but for `count`: then the service is asked how many tokens the conversation takes. */
async function runPlan(words: string, { session, say }: Chat): Promise<void> {
  const [, isCount, ref = ""] = /^\s*(count\b)?\s*(.*?)\s*$/s.exec(words) ?? [];
  const target: ChatTarget = ref === "" ? session.target : resolveOrSuggest(ref);
  const plan = session.plan(target);
  const count = async (): Promise<string> =>
    session.history.length === 0
      ? "nothing to count yet: the conversation is empty"
      : describeCount(await session.countNext(target), target.provider);
  const counted =
    isCount === undefined
      ? `~${grouped(session.contextTokens)} tokens of conversation · /plan count asks the service`
      : await count();
  say([
    `plan · ${target.provider.name} ${plan.model}/${plan.asked}`,
    ...planLines(plan),
    `  input     ${counted}`,
  ]);
}

const planLines = (plan: ThinkingPlan): readonly string[] => [
  `  applied   ${plan.applied}`,
  `  sends     ${describeSending(plan).replace(/^sends /, "")}`,
  `  room      ${describeRoom(plan)}`,
  `  shows     ${plan.visible}${plan.visibleReason === undefined ? "" : `: ${plan.visibleReason}`}`,
  ...plan.notes.map(
    (note) => `  ${(note.severity === "warning" ? "⚠" : "note").padEnd(10)}${note.message}`,
  ),
];

function runCost(_words: string, { session, say, io }: Chat): void {
  const models = session.answers.flatMap(sharesOf).map(({ model }) => model);
  const ids = [...new Set(models)].slice(-3);
  const targets = ids.flatMap((id) => {
    try {
      return [resolveModel(id)];
    } catch {
      return [];
    }
  });
  const { answers, takenBack } = session;
  const turning = turningText(session, targets);
  say(ledgerLines({ answers, takenBack, turning, columns: io.columns }));
}

/** Check the request as it would go out with a question: ending in an answer is not a fault. */
const asked = (messages: readonly Message[]): readonly Message[] =>
  messages.at(-1)?.role === "assistant"
    ? [...messages, { role: "user", parts: [{ type: "text", text: "…" }] }]
    : messages;

/** Each line once, with how often it came. */
const counted = (lines: readonly string[]): readonly string[] =>
  [...new Set(lines)].map((line) => {
    const { length } = lines.filter((other) => other === line);
    return length === 1 ? line : `${line} · ${length} times`;
  });

/** Every problem in the conversation, as the model in use would meet it. */
function runLint(words: string, { session, say }: Chat): void {
  const ref = words.trim();
  const target: ChatTarget = ref === "" ? session.target : resolveOrSuggest(ref);
  if (session.history.length === 0) {
    say(["Nothing to check yet: the conversation is empty."]);
    return;
  }
  const { encoded, prepared } = session.composeNext(target, asked(session.history.messages));
  const { findings } = lint({
    wire: target.provider.wire.id,
    body: encoded.body,
    model: target.model,
    path: encoded.path,
    headers: encoded.headers,
  });
  const kept = [
    ...prepared.changes.map((change) => `  repaired  ${change.detail}`),
    ...prepared.withheld.map((change) => `  withheld  ${change.detail}`),
  ];
  // The service takes what advice is about.
  const { length } = findings.filter(({ severity }) => severity !== "advice");
  say(
    [
      length === 0
        ? `✓ No problem for ${target.model.id}.`
        : `${plural(length, "problem")} for ${target.model.id}`,
      ...findings.flatMap(({ severity, rule, path, message, fix }) => [
        `  ${findingSigns[severity]} ${rule}   at ${path}`,
        `    ${toTerminal(message)}`,
        ...(fix === undefined ? [] : [`    fix  ${fix}`]),
      ]),
      ...counted(kept),
    ],
    length === 0 ? "good" : "bad",
  );
}

export const inspectCommands: readonly SlashCommand[] = [
  {
    name: "think",
    usage: "peek|full|hide|NUMBER",
    help: "how thinking is shown, or that of an answer",
    anytime: true,
    complete: (words) =>
      thinkingModes
        .filter((mode) => mode.startsWith(words.trim()))
        .map((mode) => ({ value: mode, help: modeHelp[mode] })),
    run: runThink,
  },
  {
    name: "receipt",
    usage: "[NUMBER]",
    help: "what was asked, sent, shown and paid",
    anytime: true,
    run: showReceipt,
  },
  {
    name: "plan",
    usage: "[count] [NAME/LEVEL]",
    help: "what would be sent; count: how many tokens",
    anytime: true,
    run: runPlan,
  },
  { name: "cost", help: "the ledger of this conversation", anytime: true, run: runCost },
  {
    name: "lint",
    usage: "[NAME]",
    help: "every problem in this conversation",
    anytime: true,
    run: runLint,
  },
];

const modeHelp: Readonly<Record<ThinkingMode, string>> = {
  peek: "a preview, then one line",
  full: "all of it, dim, and it stays",
  hide: "only the clock",
};
