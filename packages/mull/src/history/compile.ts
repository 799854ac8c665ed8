import type {
  AssistantMessage,
  AssistantPart,
  Message,
  SystemMessage,
  ToolMessage,
  ToolResultPart,
  UserMessage,
  UserPart,
} from "../types/message.ts";
import type { HistoryChange } from "../types/plan.ts";
import { createCallIds } from "./call-ids.ts";
import { createChangeLog, type ChangeLog } from "./change-log.ts";
import { fitAssistant } from "./fit-assistant.ts";
import { fitFiles } from "./fit-files.ts";
import { createPrefix } from "./fingerprint.ts";
import type { PrepareTarget } from "./prepare.ts";

export interface Compiled {
  readonly messages: readonly Message[];
  readonly withheld: readonly HistoryChange[];
  readonly changes: readonly HistoryChange[];
  readonly prefix?: string;
}

/** One pass over the history: every message fitted to the target, every call answered once. */
export function compile(messages: readonly Message[], given: PrepareTarget): Compiled {
  const target: PrepareTarget = { ...given, modelOf: once(given.modelOf) };
  const log = createChangeLog();
  const callId = createCallIds(target.wire, target.quirks);
  const prefix =
    target.model.seals?.prefixBound === undefined
      ? undefined
      : createPrefix(target.system, target.tools);
  const turnStart = messages.findLastIndex((message) => message.role === "user");
  const out: Message[] = [];
  const emit = (message: Message | undefined): void => {
    if (message === undefined) return;
    prefix?.add(message);
    out.push(message);
  };
  let prefixBroken = false;
  for (let i = 0; i < messages.length;) {
    const message = messages[i]!;
    if (message.role !== "assistant") {
      emit(fitOther(message, i, target, log));
      i++;
      continue;
    }
    const fitted = fitAssistant(message, target, {
      log,
      index: i,
      inCurrentTurn: i > turnStart,
      prefix: prefix?.value,
      prefixBroken,
    });
    prefixBroken = fitted.prefixBroken;
    const next = nextAssistant(messages, i + 1);
    const answered = answerCalls(fitted.message, messages, i, next, callId, target, log);
    emit(answered.message);
    emit(answered.results);
    for (let j = i + 1; j < next; j++) {
      const between = messages[j]!;
      if (between.role === "user" || between.role === "system")
        emit(fitOther(between, j, target, log));
    }
    i = next;
  }
  emit(continuation(out.at(-1), messages.length, target, log));
  return {
    messages: beginWithUser(out, target, log),
    withheld: log.withheld,
    changes: log.changes,
    ...(prefix !== undefined && { prefix: prefix.value() }),
  };
}

/**
 * Most thinking models refuse to go on from words of their own. A paused answer, told by the blocks
 * of the vendor's own tools, is taken as it is.
 */
function continuation(
  last: Message | undefined,
  index: number,
  target: PrepareTarget,
  log: ChangeLog,
): Message | undefined {
  const { type } = target.setting;
  const refusesOwnWords =
    target.model.noPrefill === true ||
    (target.wire === "anthropic-messages" && type !== "off" && type !== "default");
  if (last?.role !== "assistant" || !refusesOwnWords) return undefined;
  if (last.parts.some((part) => part.type === "opaque")) return undefined;
  log.changes.push({
    code: "user-added",
    message: index,
    detail: "the history ends with an answer; a line of text asks the model to go on",
  });
  return { role: "user", parts: [{ type: "text", text: "Continue." }] };
}

/** Gemini takes a call only behind a user's turn, so a history cut at its head gets one. */
function beginWithUser(
  messages: readonly Message[],
  target: PrepareTarget,
  log: ChangeLog,
): readonly Message[] {
  const first = messages.findIndex((message) => message.role !== "system");
  if (target.wire !== "google-generate" || messages[first]?.role !== "assistant") return messages;
  log.changes.push({
    code: "user-added",
    message: 0,
    detail: "the history begins with an answer; a line of text stands in for the question",
  });
  const stand: Message = {
    role: "user",
    parts: [{ type: "text", text: "[The beginning of this conversation is left out.]" }],
  };
  return messages.toSpliced(first, 0, stand);
}

/** A history names few models many times. */
function once<T>(find: (id: string) => T): (id: string) => T {
  const known = new Map<string, T>();
  return (id) => {
    if (!known.has(id)) known.set(id, find(id));
    return known.get(id) as T;
  };
}

function nextAssistant(messages: readonly Message[], from: number): number {
  let next = from;
  while (next < messages.length && messages[next]!.role !== "assistant") next++;
  return next;
}

/** System and user messages; a tool message that follows no assistant message is an orphan. */
function fitOther(
  message: SystemMessage | UserMessage | ToolMessage,
  index: number,
  target: PrepareTarget,
  log: ChangeLog,
): Message | undefined {
  switch (message.role) {
    case "tool":
      dropOrphans(message.parts, index, log);
      return undefined;
    case "user":
      return fitUser(message, index, target, log);
    case "system":
      return fitSystem(message, index, target, log);
    default:
      return message satisfies never;
  }
}

function fitUser(
  message: UserMessage,
  index: number,
  target: PrepareTarget,
  log: ChangeLog,
): Message | undefined {
  if (message.parts.length > 0 && message.parts.every(isPlainText)) return message;
  const parts = fitFiles(message.parts, target, (part) =>
    log.changes.push({
      code: "file-omitted",
      message: index,
      part,
      detail: "this model does not take it",
    }),
  ).filter(
    (part) =>
      part.send !== false &&
      !(part.type === "text" && part.text === "") &&
      !(part.type === "opaque" && part.wire !== target.wire),
  );
  if (parts.length === 0) {
    log.changes.push({ code: "empty-message", message: index, detail: "nothing left to send" });
    return undefined;
  }
  return parts.length === message.parts.length &&
    parts.every((part, i) => part === message.parts[i])
    ? message
    : { role: "user", parts };
}

const isPlainText = (part: UserPart): boolean =>
  part.type === "text" && part.text !== "" && part.send !== false;

/** Updates of another wire's settings mean nothing here; words go on as words. */
function fitSystem(
  message: SystemMessage,
  index: number,
  target: PrepareTarget,
  log: ChangeLog,
): Message | undefined {
  const parts = message.parts.filter((part) => part.type === "text" || isOwnUpdate(part, target));
  if (parts.length === 0) return undefined;
  const takesSystem = target.wire.startsWith("openai") || target.model.systemMessages === true;
  if (takesSystem)
    return parts.length === message.parts.length ? message : { role: "system", parts };
  const words = parts.filter((part) => part.type === "text");
  if (words.length === 0) return undefined;
  log.changes.push({
    code: "system-as-user",
    message: index,
    detail: "this model takes no system message here; it is sent as a user message",
  });
  return { role: "user", parts: words };
}

/** An effort update speaks to one model; another would take it for its own. */
const isOwnUpdate = (part: SystemMessage["parts"][number], target: PrepareTarget): boolean =>
  part.type === "opaque" &&
  part.wire === target.wire &&
  (part.seal === undefined || part.seal.origin.model === target.model.id);

/** Gives every call exactly one result, directly behind it, in the order of the calls. */
function answerCalls(
  message: AssistantMessage | undefined,
  messages: readonly Message[],
  at: number,
  next: number,
  callId: (id: string) => string,
  target: PrepareTarget,
  log: ChangeLog,
): { readonly message: AssistantMessage | undefined; readonly results: ToolMessage | undefined } {
  const hasCalls = message?.parts.some((part) => part.type === "tool-call") === true;
  if (!hasCalls && messages[at + 1]?.role !== "tool" && next <= at + 2)
    return { message, results: undefined };
  const given = next === at + 2 ? resultsInOrder(message, messages[at + 1]) : undefined;
  const found = given === undefined ? collectResults(messages, at + 1, next, log) : undefined;
  const results: ToolResultPart[] = [];
  let renamed = false;
  const parts = message?.parts.map((part): AssistantPart => {
    if (part.type !== "tool-call") return part;
    const id = callId(part.id);
    if (id !== part.id) renamed = true;
    const taken = found
      ? takeResult(found, part.id, part.name, at, log)
      : given!.parts[results.length]!;
    const result = fitResult(taken, target, at, log);
    results.push(result.callId === id ? result : { ...result, callId: id });
    return id === part.id ? part : { ...part, id };
  });
  for (const [, left] of found ?? [])
    dropOrphans(
      left.map((entry) => entry.part),
      left[0]?.message ?? at,
      log,
    );
  if (message === undefined || !hasCalls) return { message, results: undefined };
  return {
    message: renamed && parts !== undefined ? { ...message, parts } : message,
    results: given?.parts.every((part, i) => part === results[i])
      ? given
      : { role: "tool", parts: results },
  };
}

/** The usual case needs no search: one message that answers every call in its turn. */
function resultsInOrder(
  message: AssistantMessage | undefined,
  results: Message | undefined,
): ToolMessage | undefined {
  if (results?.role !== "tool") return undefined;
  let at = 0;
  for (const part of message?.parts ?? [])
    if (part.type === "tool-call" && results.parts[at++]?.callId !== part.id) return undefined;
  return at === results.parts.length ? results : undefined;
}

type FoundResults = Map<string, { readonly part: ToolResultPart; readonly message: number }[]>;

function collectResults(
  messages: readonly Message[],
  from: number,
  to: number,
  log: ChangeLog,
): FoundResults {
  const found: FoundResults = new Map();
  let moved = false;
  for (let i = from; i < to; i++) {
    const message = messages[i]!;
    if (message.role !== "tool") {
      moved = true;
      continue;
    }
    if (moved)
      log.changes.push({
        code: "results-moved",
        message: i,
        detail: "results go directly behind their calls",
      });
    for (const part of message.parts) {
      const list = found.get(part.callId);
      if (list === undefined) found.set(part.callId, [{ part, message: i }]);
      else list.push({ part, message: i });
    }
  }
  return found;
}

function takeResult(
  found: FoundResults,
  id: string,
  name: string,
  at: number,
  log: ChangeLog,
): ToolResultPart {
  const list = found.get(id);
  const first = list?.shift();
  if (list?.length === 0) found.delete(id);
  if (first !== undefined) return first.part;
  log.changes.push({
    code: "call-answered",
    message: at,
    detail: `${name} had no result; it is sent as interrupted`,
  });
  return {
    type: "tool-result",
    callId: id,
    name,
    output: "Interrupted: this call has no result.",
    isError: true,
  };
}

function dropOrphans(parts: readonly ToolResultPart[], message: number, log: ChangeLog): void {
  for (const part of parts) {
    log.changes.push({
      code: "result-dropped",
      message,
      detail: `no call ${part.callId} before it`,
    });
  }
}

function fitResult(
  result: ToolResultPart,
  target: PrepareTarget,
  index: number,
  log: ChangeLog,
): ToolResultPart {
  if (typeof result.output === "string") return result;
  const output = fitFiles(result.output, target, (part) =>
    log.changes.push({
      code: "file-omitted",
      message: index,
      part,
      detail: "this model does not take it",
    }),
  );
  return output === result.output ? result : { ...result, output };
}
