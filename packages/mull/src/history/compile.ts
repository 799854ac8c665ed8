import type {
  AssistantMessage,
  Message,
  Part,
  SystemMessage,
  ToolMessage,
  UserMessage,
  UserPart,
} from "../types/message.ts";
import type { HistoryChange } from "../types/plan.ts";
import type { WireTraits } from "../types/wire.ts";
import { traitsOf } from "../wire/traits.ts";
import { answerCalls, fitFiles, nextAssistant, quoteOrphans } from "./answer-calls.ts";
import { updateMessage } from "./effort-updates.ts";
import { addToPrefix, createPrefix, prefixValue, type Prefix } from "./fingerprint.ts";
import { fitAssistant, hasWords, keepIfSame, tellOfEmpty } from "./fit-assistant.ts";
import type { Prepared, PrepareTarget } from "./prepare.ts";

/** The state of one pass over a history: target, findings, and output. */
export interface Compilation {
  readonly messages: readonly Message[];
  readonly target: PrepareTarget;
  readonly traits: WireTraits;
  /** Position of the last user message: what follows is the running turn. */
  readonly turnStart: number;
  /** The ids of calls given out so far, and how many other ids were tried for each. */
  readonly usedIds: Map<string, number>;
  /** What is sent so far, if the target binds its seals to it. */
  readonly prefix: Prefix | undefined;
  /** System messages inside the conversation, and a change of effort. Both wait for the next answer. */
  waiting: readonly Message[];
  readonly out: Message[];
  readonly changes: HistoryChange[];
  readonly withheld: HistoryChange[];
}

export type Compiled = Omit<Prepared, "setting" | "notes">;

/** Fits every message to the target in one pass and answers every call once. */
export function compile(messages: readonly Message[], target: PrepareTarget): Compiled {
  const run = createCompilation(messages, target);
  for (let at = 0; at < messages.length;) {
    const message = messages[at]!;
    if (message.role !== "assistant") {
      emit(fitOther(message, at, run), run);
      at++;
      continue;
    }
    const next = nextAssistant(messages, at + 1);
    holdUpdate(at, run);
    if (mayNeedLead(message, run) && hasWords(message, target)) leadToAnswer(at, run);
    for (const each of answerCalls(fitAssistant(message, at, run), at, next, run)) emit(each, run);
    for (at++; at < next; at++) {
      const between = messages[at]!;
      if (between.role === "user" || between.role === "system")
        emit(fitOther(between, at, run), run);
    }
  }
  holdUpdate(messages.length, run);
  leadToAnswer(messages.length, run);
  endInWords(run);
  // After a paused answer Claude accepts system messages, but no change of effort.
  for (const message of run.waiting)
    if (!run.traits.systemWaits || isNoUpdate(message)) emit(message, run);
  const { withheld, changes, prefix } = run;
  return {
    messages: beginWithUser(run),
    withheld,
    changes,
    prefix: prefix && prefixValue(prefix),
  };
}

const createCompilation = (messages: readonly Message[], target: PrepareTarget): Compilation => ({
  messages,
  target: { ...target, modelOf: once(target.modelOf) },
  traits: traitsOf[target.wire],
  turnStart: messages.findLastIndex((message) => message.role === "user"),
  usedIds: new Map(),
  prefix: target.model.seals?.prefixBound && createPrefix(target.system, target.tools),
  waiting: [],
  out: [],
  changes: [],
  withheld: [],
});

/** Looks each id up once: a history names few models many times. */
function once<T>(find: (id: string) => T): (id: string) => T {
  const known = new Map<string, T>();
  return (id) => {
    if (!known.has(id)) known.set(id, find(id));
    return known.get(id) as T;
  };
}

function emit(message: Message | undefined, { out, prefix }: Compilation): void {
  if (message === undefined) return;
  if (prefix !== undefined) addToPrefix(prefix, message);
  out.push(message);
}

/** A quick check before the slow one: something waits, or a thought would join another answer. */
const mayNeedLead = ({ parts }: AssistantMessage, { out, waiting }: Compilation): boolean =>
  waiting.length > 0 ||
  (out.at(-1)?.role === "assistant" && parts.some((part) => part.type === "thinking"));

/**
 * Adds what belongs directly before an answer: a line to continue from, then waiting messages. System
 * messages and a change of effort go last: Claude accepts them only between a question and its
 * answer.
 */
function leadToAnswer(at: number, run: Compilation): void {
  emit(continuation(at, run), run);
  const role = run.out.at(-1)?.role;
  if (role !== "user" && role !== "tool") return;
  for (const message of run.waiting) emit(message, run);
  run.waiting = [];
}

/**
 * Most thinking models refuse to continue an assistant message. A paused answer, known by the blocks
 * of the vendor's own tools, is accepted.
 */
function continuation(
  at: number,
  { messages, out, target, traits, changes }: Compilation,
): Message | undefined {
  const { type } = target.setting;
  const refusesOwnWords =
    target.model.noPrefill === true ||
    (traits.noPrefillWhileThinking && type !== "off" && type !== "default");
  const last = out.at(-1);
  if (last?.role !== "assistant" || !refusesOwnWords) return undefined;
  if (last.parts.some((part) => part.type === "opaque")) return undefined;
  changes.push({
    code: "user-added",
    message: at,
    detail:
      at < messages.length
        ? "this answer followed another one; a line of text was put between them"
        : "the history ends with an answer; a line of text asks the model to continue",
  });
  return { role: "user", parts: [{ type: "text", text: "Continue." }] };
}

/** Claude up to 4.5 refuses to continue an answer that ends in white space. Newer models continue none at all. */
function endInWords({ out, messages, target, traits, changes }: Compilation): void {
  const last = out.at(-1);
  if (!traits.refusesBlanks || target.model.noPrefill === true) return;
  if (last?.role !== "assistant") return;
  let { parts } = last;
  for (let end = parts.at(-1); end?.type === "text" && /\s$/.test(end.text); end = parts.at(-1)) {
    const text = end.text.trimEnd();
    parts = [...parts.slice(0, -1), ...(text === "" ? [] : [{ ...end, text }])];
  }
  if (parts === last.parts) return;
  out[out.length - 1] = { ...last, parts };
  changes.push({
    code: "space-cut",
    message: messages.length - 1,
    detail: "the answer to continue ended in white space, which Claude refuses",
  });
}

/** Gemini takes a call only after a user's turn, so a history cut at its head gets one. */
function beginWithUser({ out, traits, changes }: Compilation): readonly Message[] {
  const first = out.findIndex((message) => message.role !== "system");
  if (!traits.beginsWithUser || out[first]?.role !== "assistant") return out;
  changes.push({
    code: "user-added",
    message: 0,
    detail: "the history begins with an answer; a line of text replaces the missing question",
  });
  const stand: Message = {
    role: "user",
    parts: [{ type: "text", text: "[The beginning of this conversation is left out.]" }],
  };
  return out.toSpliced(first, 0, stand);
}

/** System and user messages; a tool message that follows no assistant message is an orphan. */
function fitOther(
  message: SystemMessage | UserMessage | ToolMessage,
  index: number,
  run: Compilation,
): Message | undefined {
  switch (message.role) {
    case "tool":
      return quoteOrphans(message.parts, index, run);
    case "user":
      return fitUser(message, index, run);
    case "system":
      return fitSystem(message, index, run);
    default:
      return message satisfies never;
  }
}

function fitUser(message: UserMessage, index: number, run: Compilation): Message | undefined {
  const parts = fitFiles(message.parts, index, run).filter((part) =>
    part.type === "opaque"
      ? part.send !== false && part.wire === run.target.wire
      : isSaid(part, run),
  );
  return parts.length === 0 ? tellOfEmpty(index, run) : keepIfSame(message, parts);
}

const isSaid = (part: UserPart, { traits }: Compilation): boolean =>
  part.send !== false &&
  (part.type !== "text" || (traits.refusesBlanks ? /\S/.test(part.text) : part.text !== ""));

/** System text is sent as the user's if the model takes no system message. Settings of another wire are left out. */
function fitSystem(message: SystemMessage, index: number, run: Compilation): Message | undefined {
  const { target, traits, changes } = run;
  const parts = message.parts.filter((part) =>
    part.type === "text" ? isSaid(part, run) : isOwnBlock(part, target),
  );
  if (parts.length === 0) {
    if (message.parts.some((part) => part.type === "text")) tellOfEmpty(index, run);
    return undefined;
  }
  if ((target.model.systemMessages ?? traits.systemAnywhere) || isInFront(run)) {
    const fitted = keepIfSame(message, parts);
    return traits.systemWaits ? holdBack(fitted, run) : fitted;
  }
  // Beside a question, the model would take them for a part of it.
  const words = parts
    .filter((part) => part.type === "text")
    .map((part) => ({ ...part, text: `<system>\n${part.text}\n</system>` }));
  if (words.length === 0) return undefined;
  changes.push({
    code: "system-as-user",
    message: index,
    detail:
      "this model takes no system message here; it is sent as a user message, marked as system",
  });
  return { role: "user", parts: words };
}

/** System messages before everything else are the system prompt, on every wire. */
const isInFront = ({ out }: Compilation): boolean => out.every(({ role }) => role === "system");

/** A change of effort and the system's words wait for the next answer; the system prompt does not. */
function holdBack(message: SystemMessage, run: Compilation): Message | undefined {
  if (!isNoUpdate(message)) hold(message, run);
  else if (isInFront(run)) return message;
  else run.waiting = [...run.waiting, message];
  return undefined;
}

/** A later change of effort replaces one that waits. */
function hold(update: Message, run: Compilation): void {
  run.waiting = [...run.waiting.filter(isNoUpdate), update];
}

function holdUpdate(at: number, run: Compilation): void {
  const effort = run.target.effortBefore?.get(at);
  if (effort !== undefined) hold(updateMessage(effort, run.target.wire), run);
}

const isUpdate = (part: Part): boolean => part.type === "opaque" && part.kind === "effort-update";

const isNoUpdate = ({ parts }: Message): boolean => !parts.some(isUpdate);

/**
 * Blocks of this wire. A change of effort in the history counts only while the dial says
 * `auto`: otherwise it would override the dial. Sealed ones were written for an earlier request.
 */
const isOwnBlock = (part: SystemMessage["parts"][number], target: PrepareTarget): boolean =>
  part.type === "opaque" &&
  part.wire === target.wire &&
  (!isUpdate(part) || (part.seal === undefined && target.setting.type === "default"));
