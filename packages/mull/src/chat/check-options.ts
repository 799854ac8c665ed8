import { checkMessage } from "../history/check-message.ts";
import { openLoopPolicies } from "../history/prepare.ts";
import type { TimeLimits } from "../transport/deadline.ts";
import { checkNames } from "../types/check-names.ts";
import { invalidArgument } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { CacheHints, ChatRequest } from "../types/request.ts";
import { requireObject } from "../types/require.ts";
import type { ChatOptions } from "./options.ts";

/** What a value must be, as a test and in words. */
type Kind = readonly [isGood: (value: unknown) => boolean, allowed: string];
type Kinds<T> = Readonly<Record<keyof T, Kind>>;

const isText = (value: unknown): boolean => typeof value === "string";
const hasMethod = (value: unknown, name: string): boolean =>
  isJsonObject(value) && typeof value[name] === "function";

const anObject: Kind = [isJsonObject, "an object"];
const aFunction: Kind = [(value) => typeof value === "function", "a function"];
const aBoolean: Kind = [(value) => typeof value === "boolean", "true or false"];
const aText: Kind = [isText, "a text"];
const aNumber: Kind = [(value) => typeof value === "number" && value >= 0, "a number from 0"];
const aList: Kind = [Array.isArray, "a list"];
const texts: Kind = [(value) => Array.isArray(value) && value.every(isText), "a list of texts"];
/** Pairs are looked at where they are read: some can be read only once. */
const headerFields: Kind = [
  (value) =>
    Array.isArray(value) ||
    (isJsonObject(value) && (Symbol.iterator in value || Object.values(value).every(isText))),
  "texts by name, a Headers, a Map or pairs",
];
const aSignal: Kind = [(value) => isJsonObject(value) && "aborted" in value, "an AbortSignal"];
const aBudget: Kind = [
  (value) => hasMethod(value, "take") && hasMethod(value, "refill"),
  "what createRetryBudget returns",
];
const policies: readonly unknown[] = openLoopPolicies;
const aPolicy: Kind = [(value) => policies.includes(value), policies.join(" ")];
const tools: Kind = [
  (value) =>
    Array.isArray(value) &&
    value.every((tool) => isJsonObject(tool) && ("inputSchema" in tool || "vendor" in tool)),
  "a list of { name, inputSchema }, which is the spec of a tool, or a vendor's own tools",
];
/** Refused where it is used. */
const checkedLater: Kind = [() => true, ""];

/** Every option of sending a request. */
const optionKinds: Kinds<ChatOptions> = {
  apiKey: aText,
  baseUrl: aText,
  headers: headerFields,
  env: anObject,
  fetch: aFunction,
  dispatcher: anObject,
  signal: aSignal,
  limits: anObject,
  maxAttempts: aNumber,
  maxWaitMs: aNumber,
  maxEventBytes: aNumber,
  maxResponseBytes: aNumber,
  now: aFunction,
  sleep: aFunction,
  random: aFunction,
  schedule: aFunction,
  clock: aFunction,
  newId: aFunction,
  heal: checkedLater,
  retryBudget: aBudget,
  openLoop: aPolicy,
  contextTokens: checkedLater,
  notes: aList,
  simulated: aBoolean,
};

/** Every field of a request that agents have too. */
const askKinds: Kinds<Omit<ChatRequest, "messages" | "tools">> = {
  system: checkedLater,
  toolChoice: checkedLater,
  level: checkedLater,
  thinkingBudget: checkedLater,
  showThinking: checkedLater,
  maxOutputTokens: checkedLater,
  temperature: checkedLater,
  topP: checkedLater,
  topK: checkedLater,
  stopSequences: texts,
  output: checkedLater,
  cache: anObject,
  userId: aText,
  extra: anObject,
};

const requestKinds: Kinds<ChatRequest> = {
  ...askKinds,
  messages: [Array.isArray, "a list of messages, e.g. history.messages"],
  tools,
};

const agentKinds = { ...askKinds, ...optionKinds };

const limitKinds: Kinds<TimeLimits> = {
  firstByteMs: aNumber,
  idleMs: aNumber,
  progressMs: aNumber,
  totalMs: aNumber,
};
const cacheKinds: Kinds<CacheHints> = { key: aText, breakpoints: checkedLater };

const namesOf = (kinds: object): ReadonlySet<string> => new Set(Object.keys(kinds));

/** What requests and options hold has names and kinds of its own. */
const innerKinds = (
  [
    ["limits", limitKinds],
    ["cache", cacheKinds],
  ] as const
).map(([field, kinds]) => ({ field, kinds, names: namesOf(kinds) }));

export const askNames: ReadonlySet<string> = namesOf(askKinds);
export const optionNames: ReadonlySet<string> = namesOf(optionKinds);
const requestNames: ReadonlySet<string> = namesOf(requestKinds);

/** Refuses misspelt names and values of the wrong kind, before anything is made of them. */
export function checkOptions(options: ChatOptions): void {
  requireObject("options", options, "an object");
  checkNames("options", options, optionNames);
  checkKinds(options, optionKinds);
}

/** The same for what an agent asks with, which is both. */
export function checkAsk(options: object, known: ReadonlySet<string>): void {
  requireObject("options", options, "an object");
  checkNames("options", options, known);
  checkKinds(options, agentKinds);
}

/** Messages further back than this were asked about before, when they were new. */
const newMessages = 100;

/** What is left of a request is checked when it is composed. */
export function checkFields(request: ChatRequest): void {
  requireObject("request", request, "an object with messages; an Agent takes a text");
  checkNames("request", request, requestNames);
  checkKinds(request, requestKinds);
  const messages: ChatRequest["messages"] | undefined = request.messages;
  if (messages === undefined) return;
  for (let at = Math.max(0, messages.length - newMessages); at < messages.length; at++) {
    checkMessage(messages[at], `messages[${at}]`);
  }
}

function checkKinds(given: object, kinds: Readonly<Record<string, Kind>>, path = ""): void {
  for (const [name, [isGood, allowed]] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined && !isGood(value)) throw invalidArgument(path + name, value, allowed);
  }
  for (const inner of innerKinds) {
    const value: unknown = inner.field in kinds ? Reflect.get(given, inner.field) : undefined;
    if (!isJsonObject(value)) continue;
    checkNames(inner.field, value, inner.names);
    checkKinds(value, inner.kinds, `${inner.field}.`);
  }
}
