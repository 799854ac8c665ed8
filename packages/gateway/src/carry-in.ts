import type {
  AssistantMessage,
  AssistantPart,
  Message,
  Origin,
  Seal,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
  WireId,
} from "mull";
import { isJsonObject } from "mull/wire";

import {
  sealMark,
  type CarriedLoad,
  type CarriedSeal,
  type CarriedThought,
  type SealCodec,
} from "./seal-codec.ts";

/** A conversation after its carried seals were handed back to their owners. */
export interface CarriedIn {
  readonly messages: readonly Message[];
  /** Carried seals that were opened. */
  readonly opened: number;
  /** Carried seals of another installation, or damaged ones: their parts are sent without them. */
  readonly broken: number;
  /** Answers of the running turn that called tools and came back without anything carried. */
  readonly bare: number;
  /** Results of tools that came twice, word for word. */
  readonly repeated: number;
}

/** The mark without its `b`: prose is full of that letter, and a search that begins with it takes eight times as long. */
const rareMark = sealMark.slice(1);

/** Whether a body holds a carried seal: such a request is never passed on as it is. */
export const holdsCarried = (text: string): boolean =>
  text.includes(rareMark) && text.includes(sealMark);

/** The texts of a part that may be carried seals. */
function sealsIn(part: AssistantPart): readonly string[] {
  return [
    ...(part.type === "tool-call" ? textsIn(part.id) : []),
    ...(part.type === "opaque" ? textsIn(part.data["encrypted_content"]) : []),
    ...Object.values(part.seal?.data ?? {}).flatMap(textsIn),
  ];
}

/** Signatures are plain fields; Chat's are in a list of details. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.startsWith(sealMark) ? [value] : [];
  return Array.isArray(value)
    ? value.filter(isJsonObject).flatMap((detail) => textsIn(detail["data"]))
    : [];
}

/**
 * Opens the carried seals of a conversation as a client returned it. What the client's own service
 * sealed stays as it is and belongs to `native`.
 */
export function carryIn(messages: readonly Message[], native: Origin, codec: SealCodec): CarriedIn {
  const texts = new Set(
    messages.flatMap((message) =>
      message.role === "assistant" ? message.parts.flatMap(sealsIn) : [],
    ),
  );
  const read = new Map<string, CarriedLoad>();
  for (const text of texts) {
    const carried = codec.open(text);
    if (carried !== undefined) read.set(text, carried);
  }
  const ids = new Map<string, string>();
  const whole = native.wire === "google-generate" ? joinAnswers(messages) : messages;
  let repeated = 0;
  const result = whole.flatMap((message): readonly Message[] => {
    if (message.role === "assistant") return openMessage(message, native, read, ids);
    if (message.role !== "tool") return [message];
    const parts = withoutRepeats(message.parts);
    repeated += message.parts.length - parts.length;
    return [{ ...message, parts: parts.map((part) => knownByService(part, ids)) }];
  });
  const broken = texts.size - read.size;
  // On Google the signature of a call and its id carry the same.
  const opened = new Set([...read.values()].map((load) => JSON.stringify(load))).size;
  return { messages: result, opened, broken, bare: countBare(whole), repeated };
}

/** When gemini-cli resumes a conversation, it sends every result twice. */
function withoutRepeats(parts: readonly ToolResultPart[]): readonly ToolResultPart[] {
  if (new Set(parts.map(({ callId }) => callId)).size === parts.length) return parts;
  const seen = new Set<string>();
  return parts.filter((part) => isNew(seen, JSON.stringify(part)));
}

function knownByService(part: ToolResultPart, ids: ReadonlyMap<string, string>): ToolResultPart {
  const callId = ids.get(part.callId);
  return callId === undefined ? part : { ...part, callId };
}

function countBare(messages: readonly Message[]): number {
  const turn = messages.findLastIndex(({ role }) => role === "user");
  return messages
    .slice(turn + 1)
    .filter(
      (message) =>
        message.role === "assistant" &&
        message.parts.some(({ type }) => type === "tool-call") &&
        message.parts.every((part) => part.seal === undefined && sealsIn(part).length === 0),
    ).length;
}

/** Google's SDK keeps each chunk of an answer as a content of its own, and its text in pieces. */
function joinAnswers(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role !== "assistant" || last?.role !== "assistant") {
      joined.push(message);
      continue;
    }
    joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
  }
  return joined.map((message) =>
    message.role === "assistant" ? { ...message, parts: joinTexts(message.parts) } : message,
  );
}

/** A signature after streamed text is on an empty part of its own. */
function joinTexts(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const joined: AssistantPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isMore =
      part.type === "text" &&
      last?.type === "text" &&
      last.seal === undefined &&
      part.extra === undefined &&
      last.extra === undefined;
    if (isMore) joined[joined.length - 1] = { ...part, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/** What the carried seals of one answer say, all together. */
interface OpenedSeals {
  origin: Origin | undefined;
  /** Seals of calls that are carried elsewhere, by the id that the client knows. */
  readonly calls: Map<string, CarriedSeal>;
  readonly summaries: string[];
  /** Seals of texts that are carried elsewhere. */
  readonly texts: CarriedLoad[];
}

function openMessage(
  message: AssistantMessage,
  native: Origin,
  read: ReadonlyMap<string, CarriedLoad>,
  ids: Map<string, string>,
): readonly Message[] {
  const found = message.parts.map((part) => ({
    part,
    isOurs: sealsIn(part).length > 0,
    carried: sealsIn(part).flatMap((text) => read.get(text) ?? []),
  }));
  const facts: OpenedSeals = { origin: undefined, calls: new Map(), summaries: [], texts: [] };
  for (const load of found.flatMap(({ carried }) => carried)) {
    const { origin, own, call, summary } = load;
    facts.origin ??= origin;
    if (load.text !== undefined) facts.texts.push(load);
    if (call !== undefined && own !== undefined) facts.calls.set(call, own);
    if (summary !== undefined) facts.summaries.push(summary);
  }
  const origin = facts.origin ?? native;
  const parts: AssistantPart[] = [];
  const seen = new Set<string>();
  // A client that drops thinking returns it on the call or text after it.
  const hasThoughts = found.some(({ carried }) => carried.some(({ thoughts }) => thoughts));
  for (const { part, isOurs, carried } of found) {
    const thoughts = carried
      .flatMap((each) => each.thoughts ?? [])
      .filter((thought) => isNew(seen, JSON.stringify(thought)));
    if (part.type === "opaque" && isOurs) continue;
    placeThoughts(parts, thoughts, origin, native.wire);
    if (part.type === "thinking") {
      if (isOurs || (hasThoughts && part.seal === undefined)) continue;
      parts.push(ofNative(part, native));
      continue;
    }
    if (part.type !== "tool-call") {
      const own = carried.find(({ call, text }) => call === undefined && text === undefined)?.own;
      const isEmpty = part.type === "text" && part.text === "" && own === undefined;
      if (!isOurs) parts.push(ofNative(part, native));
      else if (!isEmpty) parts.push(sealedAs(part, own, origin));
      continue;
    }
    parts.push(openCall(part, carried, facts, origin, native, ids));
  }
  for (const load of facts.texts) sealText(parts, load, origin);
  const said = facts.summaries.map((text): Message => ({
    role: "user",
    parts: [{ type: "text", text }],
  }));
  return parts.length === 0 ? said : [...said, { ...message, parts, origin }];
}

function isNew(seen: Set<string>, text: string): boolean {
  if (seen.has(text)) return false;
  seen.add(text);
  return true;
}

/** Gemini signs the last text of an answer, or an empty one after it. */
function sealText(
  parts: AssistantPart[],
  { own, text, length }: CarriedLoad,
  origin: Origin,
): void {
  const at = parts.findLastIndex(({ type }) => type === "text");
  const before = parts[at];
  if (text === "blank") parts.splice(at + 1, 0, sealedAs({ type: "text", text: "" }, own, origin));
  else if (before?.type === "text") {
    const cut = length === undefined ? 0 : Math.max(before.text.length - length, 0);
    const sealed = sealedAs({ ...before, text: before.text.slice(cut) }, own, origin);
    const head = { ...before, text: before.text.slice(0, cut) };
    parts.splice(at, 1, ...(cut === 0 ? [sealed] : [head, sealed]));
  }
}

function openCall(
  part: ToolCallPart,
  carried: readonly CarriedLoad[],
  { calls }: OpenedSeals,
  origin: Origin,
  native: Origin,
  ids: Map<string, string>,
): AssistantPart {
  const own =
    carried.find((each) => each.call === undefined && each.own)?.own ?? calls.get(part.id);
  const { id, isLocalId } = carried.find((each) => each.id !== undefined) ?? {};
  const isOurs = carried.length > 0 || own !== undefined;
  const opened = isOurs ? sealedAs(part, own, origin) : ofNative(part, native);
  if (id === undefined || id === part.id || opened.type !== "tool-call") return opened;
  ids.set(part.id, id);
  const { localId: _, ...rest } = opened;
  return { ...rest, id, ...(isLocalId === true && { localId: true }) };
}

/**
 * A block of thinking is where its thought was; for other carriers, the place in the answer says
 * so.
 */
function placeThoughts(
  parts: AssistantPart[],
  thoughts: readonly CarriedThought[],
  origin: Origin,
  wire: WireId,
): void {
  const returnsBlocks = wire === "anthropic-messages" || wire === "openai-responses";
  for (const thought of thoughts) {
    const at = returnsBlocks ? parts.length : Math.min(thought.at, parts.length);
    parts.splice(at, 0, toPart(thought, origin));
  }
}

const toPart = ({ text, visibility, seal }: CarriedThought, origin: Origin): ThinkingPart => ({
  type: "thinking",
  text,
  visibility,
  ...(seal !== undefined && { seal: { origin, ...seal } }),
});

function sealedAs<P extends AssistantPart>(
  part: P,
  own: CarriedSeal | undefined,
  origin: Origin,
): P {
  const { seal: _, ...bare } = part;
  return (own === undefined ? bare : { ...bare, seal: { origin, ...own } }) as P;
}

const ofNative = <P extends AssistantPart>(part: P, origin: Origin): P => {
  const seal: Seal | undefined = part.seal && { ...part.seal, origin };
  return seal === undefined ? part : { ...part, seal };
};
