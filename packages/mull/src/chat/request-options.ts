import { parseLevel } from "../dial/level.ts";
import { showStyles, showWords } from "../dial/view.ts";
import { checkMessage } from "../history/history.ts";
import { openLoopPolicies, type OpenLoopPolicy } from "../history/prepare.ts";
import type { TimeLimits } from "../transport/deadline.ts";
import { invalidArgument, requireObject } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { CacheHints, ChatRequest, WireRequest } from "../types/request.ts";
import { isToolSpec, type ToolChoice } from "../types/tool.ts";
import {
  aBoolean,
  aBudget,
  aFunction,
  aList,
  aNumber,
  anObject,
  anything,
  aSignal,
  aText,
  checkEach,
  checkSchema,
  countFrom,
  fields,
  headerFields,
  is,
  numberTo,
  oneOf,
  plainObject,
  texts,
  words,
  type OptionCheck,
  type Checks,
} from "./checks.ts";
import { anOutput } from "./object.ts";
import type { RetryBudget, SendOptions } from "../transport/send.ts";
import type { ReadOptions } from "../transport/reader.ts";
import type { Observe } from "../types/observation.ts";
import type { Note } from "../types/plan.ts";
import type { ConnectionOptions } from "./connection.ts";

/** What becomes of a refusal. */
export const healings = ["repair", "insist", "fail"] as const;

/** How a request is sent: connection, limits, retries, repairs. */
export interface ChatOptions extends SendOptions, ReadOptions, ConnectionOptions {
  /**
   * `repair` (default): a known refusal is repaired and sent once more. `insist`: every rule is
   * applied before sending, and up to four refusals are repaired. `fail`: a refusal is thrown.
   */
  readonly heal?: (typeof healings)[number] | undefined;
  /** Default: one budget for each address and key, shared by all calls of the process. */
  readonly retryBudget?: RetryBudget | undefined;
  readonly openLoop?: OpenLoopPolicy | undefined;
  /** Tokens of the conversation so far, if known. A long conversation limits budgets. */
  readonly contextTokens?: number | undefined;
  /** Notes of the caller for the receipt. */
  readonly notes?: readonly Note[] | undefined;
  /** Milliseconds since the epoch, for stamps on thinking blocks. */
  readonly clock?: (() => number) | undefined;
  /** Ids for tool calls that came without one. */
  readonly newId?: (() => string) | undefined;
  /**
   * `fetch` leads to an emulator, so it may be sent the seals an emulator made. Default: what
   * `fetch.simulated` says; an agent goes by the last answer it got. Set it if a wrapper hides the
   * emulator.
   */
  readonly simulated?: boolean | undefined;
  /**
   * Told of everything that happens: composed, sent, first byte, repair, retry, end, and in agents
   * steps, tools and fallbacks. It can neither break a turn nor hold it up.
   */
  readonly observe?: Observe | undefined;
}

/**
 * Where an option goes. `wire`: written as it is given. `compose`: the plan and the tools decide what
 * becomes of it. `dial`: an agent turns it with `use`. `step`: of one request, so agents make it
 * themselves. `sending`: it says how requests are sent.
 */
type OptionPlace = "wire" | "compose" | "dial" | "step" | "sending";
type OptionRow<P = OptionPlace> = readonly [check: OptionCheck, place: P];

/** What a request and the wire call the same, and nothing is decided about. */
type GivenOptions = Exclude<
  keyof ChatRequest & keyof WireRequest,
  "messages" | "tools" | "toolChoice" | "maxOutputTokens" | "output"
>;

const limitChecks: Readonly<Record<keyof TimeLimits, OptionCheck>> = {
  firstByteMs: aNumber,
  idleMs: aNumber,
  progressMs: aNumber,
  totalMs: aNumber,
};
const cacheChecks: Readonly<Record<keyof CacheHints, OptionCheck>> = {
  key: aText,
  breakpoints: is((value) => value === "1h" || typeof value === "boolean", "true, false or 1h"),
  diagnose: is(
    (value) => typeof value === "boolean" || (typeof value === "string" && value !== ""),
    "true, false or the id of an answer",
  ),
};
const isTool = (tool: unknown): boolean =>
  isJsonObject(tool) && ("inputSchema" in tool || "vendor" in tool);

/** Every field of a request. One more in `ChatRequest` needs its row here, and nothing else. */
const requestRows: {
  readonly [K in keyof ChatRequest]-?: OptionRow<
    K extends GivenOptions ? "wire" : Exclude<OptionPlace, "wire">
  >;
} = {
  messages: [aList("a list of messages, e.g. history.messages"), "step"],
  tools: [
    aList(
      "a list of { name, inputSchema }, which is the spec of a tool, or a vendor's own tools",
      isTool,
    ),
    "step",
  ],
  // Looked at together with the tools.
  toolChoice: [anything, "compose"],
  parallelToolCalls: [aBoolean, "wire"],
  level: [(value) => void parseLevel(value), "dial"],
  thinkingBudget: [countFrom(0), "dial"],
  showThinking: [is((value) => showStyles.has(value), showWords), "compose"],
  maxOutputTokens: [countFrom(1), "compose"],
  output: [anOutput, "compose"],
  system: [words, "wire"],
  temperature: [numberTo(2), "wire"],
  topP: [numberTo(1), "wire"],
  topK: [countFrom(1), "wire"],
  stopSequences: [texts, "wire"],
  cache: [fields(cacheChecks), "wire"],
  serviceCompactsAt: [countFrom(1), "wire"],
  userId: [aText, "wire"],
  extra: [plainObject, "wire"],
};

/** Every option of sending a request. One more in `ChatOptions` needs its row here. */
const sendingRows: { readonly [K in keyof ChatOptions]-?: OptionRow<"sending" | "step"> } = {
  apiKey: [aText, "sending"],
  baseUrl: [aText, "sending"],
  headers: [headerFields, "sending"],
  env: [anObject, "sending"],
  fetch: [aFunction, "sending"],
  dispatcher: [anObject, "sending"],
  signal: [aSignal, "sending"],
  limits: [fields(limitChecks), "sending"],
  maxAttempts: [aNumber, "sending"],
  maxWaitMs: [aNumber, "sending"],
  maxEventBytes: [aNumber, "sending"],
  maxResponseBytes: [aNumber, "sending"],
  now: [aFunction, "sending"],
  sleep: [aFunction, "sending"],
  random: [aFunction, "sending"],
  schedule: [aFunction, "sending"],
  clock: [aFunction, "sending"],
  newId: [aFunction, "sending"],
  heal: [oneOf(healings), "sending"],
  retryBudget: [aBudget, "sending"],
  openLoop: [oneOf(openLoopPolicies), "sending"],
  contextTokens: [countFrom(0), "step"],
  notes: [aList("a list"), "sending"],
  simulated: [aBoolean, "sending"],
  observe: [aFunction, "sending"],
};

const rows: readonly (readonly [name: string, row: OptionRow])[] = Object.entries({
  ...requestRows,
  ...sendingRows,
});

const namesAt = (...places: readonly OptionPlace[]): readonly string[] =>
  rows.filter(([, [, place]]) => places.includes(place)).map(([name]) => name);

const checksOf = (names: readonly string[]): Checks =>
  Object.fromEntries(
    rows.filter(([name]) => names.includes(name)).map(([name, [check]]) => [name, check]),
  );

const requestChecks = checksOf(Object.keys(requestRows));
type SendingName = Exclude<keyof ChatOptions, "contextTokens">;
/** What an agent is given for all of its requests, and says of each of them alike. */
export const sendingNames: readonly SendingName[] = namesAt("sending") as readonly SendingName[];
const sendingChecks = checksOf(Object.keys(sendingRows));

/** What agents are made with, what `send` takes for one turn, and what `use` changes. */
export const agentChecks: Checks = checksOf(namesAt("wire", "compose", "dial", "sending"));
export const turnChecks: Checks = checksOf([...namesAt("wire", "compose", "dial"), "signal"]);
export const dialChecks: Checks = checksOf(namesAt("dial"));

/** What compose takes from a request as it is. */
export const givenFields: readonly GivenOptions[] = namesAt("wire") as readonly GivenOptions[];

/** A request without what an agent decides itself. */
export type RequestFields = Partial<
  Omit<ChatRequest, "messages" | "tools" | "level" | "thinkingBudget">
>;

/** What an agent hands on from its options with every request. */
export const passedOn: readonly (keyof RequestFields)[] = namesAt(
  "wire",
  "compose",
) as readonly (keyof RequestFields)[];

/** Refuses misspelt names and values of the wrong kind, before anything is made of them. */
export function checkOptions(options: object, checks: Checks = sendingChecks): void {
  requireObject("options", options, "an object");
  checkEach("options", options, checks);
}

/** Messages further back than this were asked about before, when they were new. */
const newMessages = 100;

/** The same for a request; what its parts have to do with each other is checked when it is composed. */
export function checkFields(request: ChatRequest): void {
  requireObject("request", request, "an object with messages; an Agent takes a string");
  checkEach("request", request, requestChecks);
  const messages: ChatRequest["messages"] | undefined = request.messages;
  if (messages === undefined) return;
  for (let at = Math.max(0, messages.length - newMessages); at < messages.length; at++) {
    checkMessage(messages[at], `messages[${at}]`);
  }
}

/** Refuses what no service can take, naming the field, before anything is planned or sent. */
export function checkRequest(request: ChatRequest): void {
  const messages = request?.messages;
  const count = Array.isArray(messages) ? messages.length : 0;
  if (count === 0) {
    throw invalidArgument("messages", messages, "a list of at least one message");
  }
  const odd = messages.findIndex((message) => !Array.isArray(message?.parts));
  if (odd >= 0) {
    throw invalidArgument(`messages[${odd}]`, messages[odd], "a message with a role and parts");
  }
  checkEach("request", request, requestChecks);
  const last = messages.at(-1);
  if (last?.role === "user") {
    last.parts.forEach((part, index) => {
      if (part.type === "text") words(part.text, `messages.at(-1).parts[${index}].text`);
    });
  }
  checkTools(request);
}

function checkTools({ tools = [], toolChoice }: ChatRequest): void {
  const names = new Set<string>();
  for (const tool of tools) {
    if (!isToolSpec(tool)) continue;
    const field = `tools.${tool.name}`;
    if (typeof tool.name !== "string" || tool.name === "") {
      throw invalidArgument("tools[].name", tool.name, "a name");
    }
    if (names.has(tool.name)) throw invalidArgument(field, tool.name, "each tool name once");
    names.add(tool.name);
    if (tool.description !== undefined) words(tool.description, `${field}.description`);
    checkSchema(`${field}.inputSchema`, tool.inputSchema);
  }
  // The names of a vendor's own tools are known to the vendor alone.
  if (toolChoice !== undefined && tools.every(isToolSpec)) checkChoice(toolChoice, [...names]);
}

const choices = ["auto", "none", "required"] as const;

function checkChoice(choice: ToolChoice, names: readonly string[]): void {
  const isKnown = isJsonObject(choice) ? names.includes(choice.tool) : choices.includes(choice);
  if (isKnown) return;
  const allowed = [...choices, ...names.map((tool) => JSON.stringify({ tool }))];
  throw invalidArgument("toolChoice", choice, allowed);
}
