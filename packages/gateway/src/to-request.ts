import { planThinking } from "mull";
import type {
  AnyTool,
  AssistantPart,
  ChatRequest,
  ChatTarget,
  JsonObject,
  JsonValue,
  Message,
  Note,
  Part,
  WireId,
} from "mull";
import { isJsonObject, type WireRequest } from "mull/wire";

import { readDial, withoutDial } from "./client-dial.ts";
import { readClientTools, seenName, type ClientTools } from "./client-tools.ts";
import { lostParts, readArguments } from "./foreign-parts.ts";
import { refuseMissing } from "./refuse-state.ts";
import { readWantedJson } from "./wanted-json.ts";

/** A client's request for the model that answers, and what could not come along. */
export interface ForeignRequest {
  readonly request: ChatRequest;
  readonly forms: ClientTools["forms"];
  readonly notes: readonly Note[];
}

/** Fields of a body that say how an answer travels or is kept; no model misses them. */
const silent: ReadonlySet<string> = new Set([
  "anthropic_beta",
  "client_metadata",
  "include",
  "includeThoughts",
  "metadata",
  "prompt_cache_retention",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "store",
  "stream_options",
  "output_config",
  "safetySettings",
]);

/** Makes a request for any model out of what a client asked on its wire. */
export function toRequest(
  asked: WireRequest,
  wire: WireId,
  target: ChatTarget,
  messages: readonly Message[],
): ForeignRequest {
  const isForeign = target.provider.wire.id !== wire;
  const read = isForeign
    ? readArguments(messages, target.provider.wire.id)
    : { messages, notes: [] };
  const { system: asking, messages: asks, notes: askNotes } = withQuestion(asked, read.messages);
  refuseMissing(wire, asks, target.provider);
  const { tools, forms }: ClientTools = isForeign
    ? readClientTools(asked.tools ?? [], asks, wire)
    : { tools: asked.tools ?? [], forms: new Map() };
  const { level, thinkingBudget, showThinking } = readDial(asked, wire, target);
  const dial =
    target.level === undefined
      ? {
          ...(level !== undefined && { level }),
          ...(thinkingBudget !== undefined && { thinkingBudget }),
        }
      : { level: target.level };
  const wanted = readWantedJson(asked, wire, target.provider.wire.id);
  const system = [asking, wanted.words ?? ""].filter((text) => text !== "");
  const { cap, notes: capNotes } = answerCap(asked, target, dial);
  return {
    request: {
      messages: isForeign ? withSeenNames(asks) : asks,
      ...(system.length > 0 && { system: system.join("\n\n") }),
      ...(tools.length > 0 && { tools }),
      ...choiceFields(asked, tools, isForeign),
      ...dial,
      ...(showThinking !== undefined && { showThinking }),
      ...(cap !== undefined && { maxOutputTokens: cap }),
      ...pickSampling(asked),
      ...(wanted.output !== undefined && { output: wanted.output }),
      ...cacheFields(asked, wire, target.provider.wire.id),
      ...(asked.userId !== undefined && { userId: asked.userId }),
      ...(asked.parallelToolCalls !== undefined &&
        tools.length > 0 && { parallelToolCalls: asked.parallelToolCalls }),
      ...extraFields(asked, wire, isForeign, wanted.extra),
    },
    forms,
    notes: [
      ...read.notes,
      ...askNotes,
      ...capNotes,
      ...(isForeign
        ? [
            ...lostParts(asks, wire),
            ...lostFields(wanted.rest, wire),
            ...cacheNotes(asked, wire, target),
          ]
        : []),
    ],
  };
}

/**
 * OpenAI answers a request that has only a system prompt. Other services need a question, so the
 * prompt becomes the user's message.
 */
function withQuestion(
  asked: WireRequest,
  messages: readonly Message[],
): {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly notes: readonly Note[];
} {
  const system = systemText(asked.system);
  if (messages.some(({ role }) => role !== "system")) return { system, messages, notes: [] };
  const said = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
  const text = [system, ...said].filter((each) => each !== "").join("\n\n");
  if (text === "") return { system, messages, notes: [] };
  const message = "there was only a system prompt: it is sent as a user message";
  return {
    system: "",
    messages: [{ role: "user", parts: [{ type: "text", text }] }],
    notes: [{ code: "system-asks", severity: "info", message }],
  };
}

/** On its own wire a request keeps all that it has besides the dial. */
function extraFields(
  { extra }: WireRequest,
  wire: WireId,
  isForeign: boolean,
  wanted: JsonObject | undefined,
): Pick<ChatRequest, "extra"> {
  if (isForeign) return wanted === undefined ? {} : { extra: wanted };
  return extra === undefined ? {} : { extra: withoutDial(extra, wire) };
}

const systemText = (system: WireRequest["system"] = ""): string =>
  typeof system === "string" ? system : system.map(({ text }) => text).join("\n\n");

function pickSampling({
  temperature,
  topP,
  topK,
  stopSequences,
}: WireRequest): Partial<ChatRequest> {
  return {
    ...(temperature !== undefined && { temperature: Math.min(Math.max(temperature, 0), 2) }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && topK >= 1 && { topK }),
    ...(stopSequences !== undefined && { stopSequences }),
  };
}

/** An answer needs at least this many tokens. If thinking leaves less, the cap is raised. */
const leastAnswer = 1024;
/** What a level's budget leaves to an answer; a budget that a client names leaves the least. */
const usualAnswer = 8192;

/**
 * The wires' caps include thinking and ours does not, so the plan's room for thinking is
 * subtracted.
 */
function answerCap(
  { maxOutputTokens }: WireRequest,
  { model, provider }: ChatTarget,
  dial: Pick<ChatRequest, "level" | "thinkingBudget">,
): { readonly cap?: number; readonly notes: readonly Note[] } {
  if (maxOutputTokens === undefined || maxOutputTokens < 1) return { notes: [] };
  const cap = Math.min(maxOutputTokens, model.outputCap ?? Infinity);
  // Without a cap, most wires would give the answer everything: all 128,000 tokens of
  // gpt-6-sol/high.
  const { thinkingRoom = 0 } = planThinking({
    model,
    wire: provider.wire.id,
    maxOutputTokens: dial.thinkingBudget === undefined ? usualAnswer : leastAnswer,
    ...dial,
  });
  const answer = cap - thinkingRoom;
  if (answer >= leastAnswer) return { cap: answer, notes: [] };
  if (thinkingRoom === 0) return { cap, notes: [] };
  const message = `thinking would leave the answer fewer than ${leastAnswer} of its ${cap} tokens: ${thinkingRoom} more were asked for`;
  return { cap, notes: [{ code: "cap-raised", severity: "warning", message }] };
}

/** The service would refuse the choice of a tool that is not sent. */
function choiceFields(
  { toolChoice }: WireRequest,
  tools: readonly AnyTool[],
  isForeign: boolean,
): Pick<ChatRequest, "toolChoice"> {
  if (toolChoice === undefined || tools.length === 0) return {};
  if (typeof toolChoice === "string") return { toolChoice };
  const tool = isForeign ? seenName(toolChoice.tool, undefined) : toolChoice.tool;
  const isThere = tools.some((each) => "name" in each && each.name === tool);
  return isThere ? { toolChoice: { tool } } : {};
}

/**
 * If the client marks what to cache, or names its session, the model that answers caches the same.
 */
function cacheFields(asked: WireRequest, wire: WireId, to: WireId): Pick<ChatRequest, "cache"> {
  if (to === "anthropic-messages")
    return marksIn(asked.messages) > mostMarks ? {} : { cache: { breakpoints: true } };
  const key = asked.cache?.key ?? (wire === "anthropic-messages" ? sessionKey(asked) : undefined);
  return key === undefined ? {} : { cache: { key: key.slice(0, 64) } };
}

/** Claude takes four; one is after the tools and one after the system prompt. */
const mostMarks = 2;

const marksIn = (messages: readonly Message[]): number =>
  messages
    .flatMap(({ parts }): readonly Part[] => parts)
    .filter(({ extra }) => extra?.fields["cache_control"] !== undefined).length;

/** Claude Code names its session in the user's id. */
function sessionKey({ userId = "" }: WireRequest): string | undefined {
  const session = /session(?:_id)?["':_ ]+([\w-]{8,})/.exec(userId)?.[1];
  return session === undefined ? undefined : `mull-${session}`;
}

/**
 * Not every service has a field for the client's cache settings; all of them cache by themselves.
 */
function cacheNotes(asked: WireRequest, wire: WireId, { provider }: ChatTarget): readonly Note[] {
  const to = provider.wire.id;
  const isMarked = marksIn(asked.messages) > 0 || isSystemMarked(asked);
  const isKept = cacheFields(asked, wire, to).cache !== undefined && to !== "google-generate";
  if ((!isMarked && asked.cache?.key === undefined) || isKept) return [];
  const word = isMarked ? "cache_control" : "prompt_cache_key";
  return [
    {
      code: "cache-implicit",
      severity: "info",
      message: `${provider.name} caches by itself, so ${word} was left out`,
    },
  ];
}

const isSystemMarked = ({ system }: WireRequest): boolean =>
  Array.isArray(system) &&
  system.some((part: Part) => part.extra?.fields["cache_control"] !== undefined);

/** The names that the model knows tools by: of calls, and of results, which Google matches by name. */
function withSeenNames(messages: readonly Message[]): readonly Message[] {
  const seen = new Map<string, string>();
  const named = (part: AssistantPart): AssistantPart => {
    if (part.type !== "tool-call") return part;
    const name = seenName(part.name, part.seal?.data["namespace"]);
    if (name === part.name) return part;
    seen.set(part.id, name);
    return { ...part, name };
  };
  return messages.map((message) => {
    if (message.role === "assistant") return { ...message, parts: message.parts.map(named) };
    if (message.role !== "tool" || seen.size === 0) return message;
    const parts = message.parts.map((part) => {
      const name = seen.get(part.callId);
      return name === undefined ? part : { ...part, name };
    });
    return { ...message, parts };
  });
}

/** Objects that mull reads: only what is left in them is lost. `thinking` alone would sound as if the model didn't think. */
const readInPart: ReadonlySet<string> = new Set([
  "text",
  "thinking",
  "thinkingConfig",
  "tool_choice",
  "generationConfig",
]);

/** Names the fields that the other vendor does not have. */
function lostFields(extra: JsonObject, wire: WireId): readonly Note[] {
  const lost = lostIn(extra);
  if (lost.length === 0) return [];
  return [
    {
      code: "fields-dropped",
      severity: "info",
      message: `only ${wire} has these fields, so they were left out: ${lost.join(", ")}`,
    },
  ];
}

const lostIn = (fields: JsonObject): readonly string[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    if (silent.has(name) || saysNothing(name, value)) return [];
    if (!readInPart.has(name) || !isJsonObject(value)) return [name];
    return lostIn(value).map((inner) => `${name}.${inner}`);
  });

/** What clients write out although it holds anyway. */
const usual: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["background", false],
  ["candidateCount", 1],
  ["frequency_penalty", 0],
  ["logprobs", false],
  ["n", 1],
  ["presence_penalty", 0],
  ["responseMimeType", "text/plain"],
  ["tool_choice", "auto"],
  ["top_logprobs", 0],
  ["truncation", "disabled"],
]);

const saysNothing = (name: string, value: JsonValue | undefined): boolean =>
  value === null ||
  value === "" ||
  value === usual.get(name) ||
  (typeof value === "object" && Object.keys(value).length === 0);
