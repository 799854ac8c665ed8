import {
  describeLevel,
  describeSending,
  isMullError,
  levels,
  providers,
  resolveModel,
  type ChatTarget,
  type Message,
  type Model,
  type Provider,
} from "mull";
import { listed } from "../../frame/listed.ts";
import { nearestModel, readLevel, slippedModel } from "../../session/resolve.ts";
import { windowSize } from "../format.ts";
import { whatItDoes } from "../level-meaning.ts";
import type { PickChoice } from "../picker.ts";
import { switchText } from "../switch-text.ts";
import type { Candidate, Chat, SlashCommand } from "./command.ts";

const budgetOption = /\s*--thinking-budget[= ]\s*(\S*)/;

/** Switches the model and says what that means for the next request of this conversation. */
export function switchModel(
  words: string,
  chat: Chat,
  messages: readonly Message[] = chat.session.history.messages,
): void {
  const { session } = chat;
  const option = budgetOption.exec(words);
  const ref = words.replace(budgetOption, "").trim();
  const budget = option === null ? undefined : readBudget(option[1]!);
  const target =
    ref === "" ? session.target : resolveOrSuggest(ref, (each) => chat.session.resolve(each));
  const plan = session.use(target, budget);
  const { lines, notes } = switchText(session, plan, {
    isRunning: chat.isRunning(),
    messages,
  });
  chat.say(lines, "good");
  const meant = target.model.assumed === true ? slippedModel(target.model.id) : undefined;
  if (meant !== undefined) chat.say([`  ⚠ Did you mean /model ${meant}?`]);
  if (notes.length > 0) chat.say(["", ...notes.map((note) => `  ${note}`)], "note");
}

/** Without words a list to choose from: the model, then its level. */
async function runModel(words: string, chat: Chat): Promise<void> {
  if (words.trim() !== "") {
    switchModel(words, chat);
    return;
  }
  if (chat.pick === undefined) {
    showModels(chat);
    return;
  }
  const { session, pick } = chat;
  const ref = await pick({
    title: "Model ($ in/out per million tokens)",
    choices: modelChoices(session),
    current: refOf(session.target.model.id, session.target.provider.id),
    typed: "asks for a model of this name",
  });
  if (ref === undefined) return;
  if (ref.includes("/")) {
    switchModel(ref, chat);
    return;
  }
  const levelsOfIt = levelChoices(ref, chat);
  const level =
    levelsOfIt.length === 0
      ? session.target.level
      : await pick({
          title: `Level of ${ref}`,
          choices: levelsOfIt,
          current: session.target.level,
        });
  if (level !== undefined) switchModel(`${ref}/${level}`, chat);
}

function readBudget(text: string): number {
  const tokens = Number(text.replaceAll(/[_,]/g, ""));
  if (text !== "" && Number.isSafeInteger(tokens) && tokens >= 0) return tokens;
  throw new Error(
    `--thinking-budget=${text}: a whole number of tokens is needed, e.g. --thinking-budget=16000`,
  );
}

/** What is unknown is answered with what was probably meant. */
export function resolveOrSuggest(
  ref: string,
  resolve: (ref: string) => ChatTarget = resolveModel,
): ChatTarget {
  try {
    return resolve(ref);
  } catch (error) {
    if (!isMullError(error) || error.field !== "provider") throw error;
    const meant = nearestModel(ref.split("/")[0] ?? ref);
    throw new Error(
      `No provider is known for the model ${JSON.stringify(ref)}.${meant === undefined ? " /model lists the models." : ` Did you mean ${meant}?`}`,
      { cause: error },
    );
  }
}

/** Each is looked up now, so that a misspelt one is not found out on the day of the outage. */
function runFallback(words: string, chat: Chat): void {
  const { session, say } = chat;
  const asked = listed([words]);
  if (asked.length > 0) {
    const isOff = asked.length === 1 && /^(?:off|none)$/.test(asked[0]!);
    const targets = isOff
      ? []
      : asked.map((ref) => resolveOrSuggest(ref, (each) => session.resolve(each)));
    const keyless = targets.find((target) => !session.hasKeyFor(target));
    if (keyless !== undefined)
      throw new Error(
        `There is no key for ${keyless.provider.name}. To store one: /keys set ${keyless.provider.id}`,
      );
    session.setFallback(isOff ? [] : asked);
  }
  const { fallback } = session;
  say(
    [
      fallback.length === 0
        ? "There is no fallback. /fallback NAME,NAME sets models to ask when the chosen one fails."
        : `When the chosen model fails: ${fallback.join(", then ")}.`,
    ],
    asked.length > 0 ? "good" : "plain",
  );
}

function showModels({ session, say }: Chat): void {
  const { provider, model, level } = session.target;
  const plan = session.plan();
  say([
    `${provider.name} ${model.id}/${level} · ${describeSending(plan)}`,
    "",
    ...providers
      .filter(({ models }) => models.length > 0)
      .flatMap((row) => {
        const names = row.models
          .filter(({ status }) => status === "current")
          .map(({ id }) => refOf(id, row.id));
        if (names.length === 0) return [];
        const key = session.hasKeyFor({ provider: row }) ? "" : "  (no key)";
        return [`  ${row.name.padEnd(12)}${names.slice(0, 6).join("  ")}${key}`];
      }),
    "",
    "  /model NAME/LEVEL switches. Tab completes names and levels.",
  ]);
}

/** The models of this conversation first, then those with a key, vendor by vendor. */
function modelChoices(session: Chat["session"]): readonly PickChoice[] {
  const used = new Set([session.target.model.id, ...session.answers.map(({ model }) => model)]);
  const all = providers.flatMap((provider) =>
    provider.models
      .filter(({ status }) => shownStatuses.has(status))
      .map((model) => modelChoice(provider, model, session.hasKeyFor({ provider }))),
  );
  const byUse = (isUsed: boolean): readonly PickChoice[] =>
    all.filter(({ value }) => used.has(value) === isUsed);
  const recent = byUse(true).map((choice) => ({ ...choice, group: "In this conversation" }));
  const others = byUse(false).toSorted((a, b) => Number(a.isDim) - Number(b.isDim));
  return [...recent, ...others];
}

function modelChoice(provider: Provider, model: Model, hasKey: boolean): PickChoice {
  const { id, window, price } = model;
  const facts = [
    ...(window === undefined ? [] : [windowSize(window)]),
    ...(price === undefined ? [] : [`$${price.input}/$${price.output}`]),
    ...(model.status === "current" ? [] : [model.status]),
  ].join(" · ");
  return {
    value: refOf(id, provider.id),
    label: refOf(id, provider.id),
    help: hasKey ? facts : `no key · ${facts}`,
    group: provider.name,
    isDim: !hasKey,
  };
}

/** The stops of the dial on a model, and what each does there. */
function levelChoices(name: string, chat: Chat): readonly PickChoice[] {
  const target = findTarget(name);
  if (target === undefined) return [];
  return levels.map((level) => {
    const plan = chat.session.plan({ ...target, level }, undefined);
    const leads = plan.applied === level || level === "auto" ? "" : `→ ${plan.applied}: `;
    return { value: level, label: level, help: leads + whatItDoes(plan) };
  });
}

function findTarget(name: string): ChatTarget | undefined {
  try {
    return resolveModel(name);
  } catch {
    return undefined;
  }
}

const shownStatuses = new Set(["current", "preview", "gated"]);

export function completeModel(words: string, chat: Chat): readonly Candidate[] {
  const ref = words.trimStart();
  if (ref.includes(" "))
    return [
      { value: `${ref.split(" ")[0]} --thinking-budget=`, help: "tokens instead of a level" },
    ];
  const slash = ref.lastIndexOf("/");
  if (slash > 0) return completeLevelOf(ref.slice(0, slash), ref.slice(slash + 1), chat);
  const named = providers.find(({ id }) => ref.startsWith(`${id}:`));
  const start = named === undefined ? ref : ref.slice(named.id.length + 1);
  return (named === undefined ? providers : [named]).flatMap((provider) =>
    provider.models
      .filter(
        ({ id, status }) => id.startsWith(start) && (shownStatuses.has(status) || start === id),
      )
      .map(({ id, price }) => {
        const hasKey = chat.session.hasKeyFor({ provider });
        const cost = price === undefined ? "" : ` · $${price.input} in, $${price.output} out`;
        return {
          value: named === undefined ? refOf(id, provider.id) : `${provider.id}:${id}`,
          help: hasKey ? `${provider.name}${cost}` : `${provider.name} · no key`,
          ...(!hasKey && { isDim: true }),
        };
      }),
  );
}

/** What `/model` takes for it: the id alone if that means this provider. */
const refOf = (id: string, provider: string): string => {
  try {
    if (resolveModel(id).provider.id === provider) return id;
  } catch {
    // Nobody's by its name alone.
  }
  return `${provider}:${id}`;
};

/** Each stop of the dial with what it would send. */
function completeLevelOf(name: string, start: string, chat: Chat): readonly Candidate[] {
  const target = findTarget(name);
  if (target === undefined) return [];
  return levels
    .filter((level) => level.startsWith(start))
    .map((level) => {
      const plan = chat.session.plan({ ...target, level }, undefined);
      const leads = plan.applied === level || level === "auto" ? "" : `${describeLevel(plan)} · `;
      return { value: `${name}/${level}`, help: leads + describeSending(plan) };
    });
}

async function runLevel(words: string, chat: Chat): Promise<void> {
  const word = words.trim();
  const { session, pick } = chat;
  if (word === "" && pick !== undefined) {
    const { model, level: current, provider } = session.target;
    const choices = levelChoices(`${provider.id}:${model.id}`, chat);
    const level = await pick({ title: `Level of ${model.id}`, choices, current });
    if (level !== undefined) setLevel(level, chat);
    return;
  }
  if (word === "") {
    const rows = completeLevelOf(session.target.model.id, "", chat);
    chat.say(
      rows.map(({ value, help }) => {
        const level = value.slice(value.lastIndexOf("/") + 1);
        return `${level === session.target.level ? "▸" : " "} ${level.padEnd(6)}${help}`;
      }),
    );
    return;
  }
  setLevel(word, chat);
}

/** The dial alone: one line, and when it takes effect. */
function setLevel(word: string, chat: Chat): void {
  const level = readLevel(word.toLowerCase());
  const plan = chat.session.useLevel(level);
  const when = chat.isRunning() ? " · from the next question on" : "";
  chat.say([`✓ Thinking: ${describeLevel(plan)} · ${describeSending(plan)}${when}`], "good");
}

export const modelCommands: readonly SlashCommand[] = [
  {
    name: "model",
    usage: "[NAME/LEVEL]",
    help: "choose a model and level; --thinking-budget=N",
    anytime: true,
    complete: completeModel,
    run: runModel,
  },
  {
    name: "level",
    usage: "[LEVEL]",
    help: "turn the thinking dial",
    anytime: true,
    complete: (words, chat) =>
      completeLevelOf(chat.session.target.model.id, words.trim(), chat).map((candidate) => ({
        ...candidate,
        value: candidate.value.slice(candidate.value.lastIndexOf("/") + 1),
      })),
    run: runLevel,
  },
  {
    name: "fallback",
    usage: "[NAME,NAME|off]",
    help: "models to ask when this one fails",
    complete: completeModel,
    run: runFallback,
  },
];
