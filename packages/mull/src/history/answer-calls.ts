import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  Message,
  OpaquePart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserMessage,
  UserPart,
} from "../types/message.ts";
import { fitCallName } from "../wire/common/call-name.ts";
import { textOfBase64 } from "../wire/common/data-url.ts";
import { quoteResult } from "../wire/common/quoted-result.ts";
import type { Compilation } from "./compile.ts";

/**
 * An answer followed by exactly one result for each of its calls, in order. Results are searched up
 * to the next answer; results without a call follow as quoted text.
 */
export function answerCalls(
  message: AssistantMessage | undefined,
  at: number,
  next: number,
  run: Compilation,
): readonly (Message | undefined)[] {
  const found = collectResults(at + 1, next, run);
  const hasCalls = message?.parts.some(({ type }) => type === "tool-call") === true;
  if (!hasCalls && found.size === 0) return [message];
  const results: ToolResultPart[] = [];
  const parts = message?.parts.map((part): AssistantPart => {
    if (part.type !== "tool-call") return part;
    const id = fitCallId(run, part.id);
    const name = fitName(part.name, at, run);
    const result = fitResult(takeResult(found, part, at, run), id, at, run);
    results.push(name === part.name ? result : { ...result, name });
    return id === part.id && name === part.name ? part : { ...part, id, name };
  });
  const orphans = [...found.values()]
    .flatMap((list) => list.toReversed())
    .map(({ part, message: from }) => quoteOrphans([part], from, run));
  return message === undefined || parts === undefined || results.length === 0
    ? [message, ...orphans]
    : [{ ...message, parts }, { role: "tool", parts: results }, ...orphans];
}

/** The position of the next answer from `from` on; the length if there is none. */
export function nextAssistant(messages: readonly Message[], from: number): number {
  let next = from;
  while (next < messages.length && messages[next]!.role !== "assistant") next++;
  return next;
}

/** Results by call, the first one last: taking it from the front would move all others. */
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
        detail: "results go directly after their calls",
      });
    for (const part of message.parts) {
      if (part.send === false) continue;
      const list = found.get(part.callId);
      if (list === undefined) found.set(part.callId, [{ part, message: i }]);
      else list.push({ part, message: i });
    }
  }
  for (const list of found.values()) list.reverse();
  return found;
}

function takeResult(
  found: FoundResults,
  { id, name }: ToolCallPart,
  at: number,
  { changes }: Compilation,
): ToolResultPart {
  const first = found.get(id)?.pop();
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

/** Results whose call is not sent, as quoted text of the user. What a tool returned is never dropped. */
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

/** A result as text; pictures in it stay pictures. */
export function resultAsText(result: ToolResultPart): readonly UserPart[] {
  const { name, callId, isError, output } = result;
  const parts: readonly UserPart[] =
    typeof output === "string" ? [{ type: "text", text: output }] : output;
  const words = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const tool = { name, callId, failed: isError === true };
  return [
    { type: "text", text: quoteResult(tool, words.join("\n")) },
    ...parts.filter((part) => part.type !== "text"),
  ];
}

function fitResult(
  result: ToolResultPart,
  callId: string,
  index: number,
  run: Compilation,
): ToolResultPart {
  const { output } = result;
  if (typeof output === "string" && callId === result.callId) return result;
  const fitted = typeof output === "string" ? output : fitFiles(output.filter(isSent), index, run);
  return { ...result, callId, output: fitted };
}

const isSent = ({ send }: { readonly send?: false }): boolean => send !== false;

/** A tool that is declared keeps its name, so that the model knows it again. */
function fitName(name: string, message: number, { target, changes }: Compilation): string {
  const fitted = fitCallName(name);
  if (fitted === name || target.tools?.some((tool) => "name" in tool && tool.name === name))
    return name;
  changes.push({ code: "call-renamed", message, detail: `"${name}" is sent as ${fitted}` });
  return fitted;
}

const usualId = /^[A-Za-z0-9_-]+$/;

/**
 * An id for a call that the target accepts and no earlier call has; it goes on call and result.
 * An id that fits and was not used before stays as it is.
 */
function fitCallId({ target, traits, usedIds }: Compilation, id: string): string {
  const quirk = target.quirks?.callId;
  const longest = quirk?.maxLength ?? traits.longestCallId;
  const allowed = quirk === undefined ? usualId : new RegExp(quirk.pattern);
  let fitted = id;
  // Ten thousand calls with one id would otherwise each try all ids of those before them.
  let salt = usedIds.get(id) ?? 0;
  while (usedIds.has(fitted) || fitted.length > longest || !allowed.test(fitted))
    fitted = makeId(id, salt++, longest);
  usedIds.set(id, salt).set(fitted, usedIds.get(fitted) ?? 0);
  return fitted;
}

/** Letters and digits only: the strictest servers take nothing else. */
function makeId(id: string, salt: number, longest: number): string {
  const digest = hash(`${id}#${salt}`, 0x811c9dc5) + hash(`${salt}#${id}`, 0x01000193);
  return `call${digest}`.slice(-Math.min(longest, 18));
}

function hash(text: string, seed: number): string {
  let value = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, "0");
}

/**
 * Replaces what the target does not take, so that a switch to a text-only model does not end the
 * conversation: text files and blocks of another wire by their text, others by a line that names them.
 */
export const fitFiles = <P extends TextPart | FilePart | OpaquePart>(
  parts: readonly P[],
  message: number,
  run: Compilation,
): readonly (P | TextPart)[] =>
  parts.map((part, index): P | TextPart => {
    if (part.type === "text" || !isSent(part)) return part;
    const isFile = part.type === "file";
    if (!isFile && part.wire === run.target.wire) return part;
    const words = isFile ? wordsOf(part) : wordsOfBlock(part);
    const detail = isFile ? whyOmitted(part, message, run) : whyForeign(part, words);
    if (detail === undefined) return part;
    const name = isFile ? (part.name ?? (part.mediaType || "file")) : part.kind;
    const place = { message, part: index, detail };
    if (words === undefined) {
      run.changes.push({ code: "file-omitted", ...place });
      return { type: "text", text: `[${name}: a file this model does not take]` };
    }
    run.changes.push({ code: "file-quoted", ...place });
    return { type: "text", text: `The file ${name}:\n"""\n${words}\n"""` };
  });

const textTypes = /^text\/|[/+](?:json|xml|(?:x-)?yaml|toml|javascript|x-sh|sql)$/;

/** What a text file says: a person gave it to the model to read, so no repair may drop it. */
const wordsOf = ({ mediaType, source }: FilePart): string | undefined =>
  source.type === "base64" && textTypes.test(mediaType) ? textOfBase64(source.data) : undefined;

/** The same of a block, e.g. a `search_result`. One without text, e.g. `additional_tools`, is a setting or bytes. */
function wordsOfBlock({ data }: OpaquePart): string | undefined {
  const words = JSON.stringify(data);
  return words.includes('"text":"') ? words : undefined;
}

/** Settings of another wire are not spoken of. */
const whyForeign = ({ kind }: OpaquePart, words: string | undefined): string | undefined =>
  words || /audio|video|image|file|document|upload/.test(kind) ? notTaken : undefined;

const notTaken = "this model does not take it";

function whyOmitted(file: FilePart, message: number, run: Compilation): string | undefined {
  const { target, traits } = run;
  const { files } = target.model;
  const isDocument = countsAsDocument(file.mediaType, traits.readsTextFiles);
  if (
    (isDocument ? files?.pdf : files?.images) === false ||
    traits.takesFile?.(file, target.quirks) === false
  )
    return notTaken;
  const keeper = isStored(file.source) ? keeperOf(message, run) : undefined;
  return keeper && `it is in ${keeper}'s store, and only ${keeper} can open it`;
}

/** Whether the limit for documents applies. Images, sound and film follow the limit for images. */
const countsAsDocument = (mediaType: string, readsText: true | undefined): boolean =>
  readsText ? mediaType === "application/pdf" : !/^(?:image|audio|video)\//.test(mediaType);

/** Whether a service stores the file for its customer: no other service can open it. Gemini's files have addresses. */
const isStored = (source: FilePart["source"]): boolean =>
  source.type === "id" ||
  (source.type === "url" && /^(?:gs:|https:\/\/generativelanguage\.)/.test(source.url));

/**
 * Who else keeps the files that a message names: who answered it, or who called the tool
 * that gave them. A question without an answer is meant for the target.
 */
function keeperOf(message: number, { messages, target }: Compilation): string | undefined {
  const answer = messages[nextAssistant(messages, message + 1)];
  const { origin } = (answer ?? messages[message]) as Partial<AssistantMessage>;
  const isTarget =
    origin === undefined ||
    origin.provider === target.provider ||
    origin.endpoint === (target.endpoint ?? "");
  return isTarget ? undefined : origin.provider;
}
