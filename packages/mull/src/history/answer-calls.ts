import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "../types/message.ts";
import { fitCallId } from "./call-ids.ts";
import { emit, type Compilation } from "./compilation.ts";
import { fitFiles } from "./fit-files.ts";
import { resultAsText } from "./result-as-text.ts";

/**
 * Emits an answer and, directly behind it, exactly one result for each of its calls, in the order of
 * the calls. Results are looked for up to the next answer.
 */
export function answerCalls(
  message: AssistantMessage | undefined,
  at: number,
  next: number,
  run: Compilation,
): void {
  const hasCalls = message?.parts.some(isCall) === true;
  const following = run.messages[at + 1];
  if (!hasCalls && next <= at + 2 && following?.role !== "tool") return emit(message, run);
  if (next === at + 2 && isInOrder(following, message))
    return hasCalls ? emitPair(message, following, at, run) : emit(message, run);
  const found = collectResults(at + 1, next, run);
  const parts: ToolResultPart[] = [];
  for (const part of message?.parts ?? [])
    if (part.type === "tool-call") parts.push(takeResult(found, part.id, part.name, at, run));
  if (hasCalls) emitPair(message, { role: "tool", parts }, at, run);
  else emit(message, run);
  for (const left of found.values())
    for (const orphan of left) emit(quoteOrphans([orphan.part], orphan.message, run), run);
}

const isCall = (part: AssistantPart): boolean => part.type === "tool-call";

/** The usual case needs no search: one message that answers every call in its turn. */
function isInOrder(
  results: Message | undefined,
  message: AssistantMessage | undefined,
): results is ToolMessage {
  if (results?.role !== "tool") return false;
  let at = 0;
  for (const part of message?.parts ?? []) {
    if (part.type !== "tool-call") continue;
    const result = results.parts[at++];
    if (result?.callId !== part.id || result.send === false) return false;
  }
  return at === results.parts.length;
}

type FoundResults = Map<string, { readonly part: ToolResultPart; readonly message: number }[]>;

function collectResults(
  from: number,
  to: number,
  { messages, changes }: Compilation,
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
      changes.push({
        code: "results-moved",
        message: i,
        detail: "results go directly behind their calls",
      });
    for (const part of message.parts) {
      if (part.send === false) continue;
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
  { changes }: Compilation,
): ToolResultPart {
  const list = found.get(id);
  const first = list?.shift();
  if (list?.length === 0) found.delete(id);
  if (first !== undefined) return first.part;
  changes.push({
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

/** Results whose call is not sent, as quoted words of the user: what a tool returned is never left out. */
export function quoteOrphans(
  results: readonly ToolResultPart[],
  message: number,
  run: Compilation,
): UserMessage | undefined {
  const parts = results.filter(({ send }) => send !== false);
  for (const { callId, name } of parts) {
    const detail = `no call ${callId} before it; what ${name} returned is sent as quoted text`;
    run.changes.push({ code: "result-quoted", message, detail });
  }
  return parts.length === 0
    ? undefined
    : {
        role: "user",
        parts: parts.flatMap((part) => resultAsText(fitResult(part, part.callId, message, run))),
      };
}

/** Call and result under an id the target takes. What need not change is not copied. */
function emitPair(
  message: AssistantMessage,
  results: ToolMessage,
  at: number,
  run: Compilation,
): void {
  let parts: AssistantPart[] | undefined;
  let answers: ToolResultPart[] | undefined;
  let call = 0;
  for (let i = 0; i < message.parts.length; i++) {
    const part = message.parts[i]!;
    if (part.type !== "tool-call") continue;
    const id = fitCallId(run.callIds, part.id);
    if (id !== part.id) (parts ??= message.parts.slice())[i] = { ...part, id };
    const result = results.parts[call]!;
    const fitted = fitResult(result, id, at, run);
    if (fitted !== result) (answers ??= results.parts.slice())[call] = fitted;
    call++;
  }
  emit(parts === undefined ? message : { ...message, parts }, run);
  emit(answers === undefined ? results : { role: "tool", parts: answers }, run);
}

function fitResult(
  result: ToolResultPart,
  callId: string,
  index: number,
  run: Compilation,
): ToolResultPart {
  const { output } = result;
  const fitted = typeof output === "string" ? output : fitFiles(sentOf(output), index, run);
  return fitted === output && result.callId === callId
    ? result
    : { ...result, callId, output: fitted };
}

type OutputParts = Exclude<ToolResultPart["output"], string>;

const sentOf = (parts: OutputParts): OutputParts =>
  parts.some((part) => part.send === false) ? parts.filter((part) => part.send !== false) : parts;
