import type { JsonObject, JsonValue } from "mull";
import { isJsonObject } from "mull/wire";
import type { VendorType } from "./vendor-types.ts";

/** Where a vendor's service and its types are known to differ, and who is right. */
export interface Exception {
  readonly types: readonly VendorType[];
  /** The object it is about, list indices left out: `input[].content[]`. Empty is the body. */
  readonly at: string;
  /** Only objects that have these values. */
  readonly when?: JsonObject;
  /** A field the service takes and the types lack: judged without it. */
  readonly drop?: string;
  /** Fields the types ask for and the service does not: judged as if they were there. */
  readonly add?: JsonObject;
  readonly reason: string;
}

const claudeReplies = ["anthropic-reply", "anthropic-beta-reply"] as const;
const claudeEvents = ["anthropic-event", "anthropic-beta-event"] as const;
const betaReplies = ["anthropic-beta-reply", "anthropic-beta-event"] as const;

/** Where a response stands: by itself, or in the events that carry it. */
const responsePlaces = [
  { types: ["responses-reply"], at: "" },
  { types: ["responses-event"], at: "response" },
] as const;

/** Recordings have the last word on what a service writes. */
const replyExceptions: readonly Exception[] = [
  ...[
    { types: claudeReplies, at: "" },
    { types: claudeEvents, at: "message" },
  ].map((place): Exception => ({
    ...place,
    when: { type: "message" },
    add: { container: null, diagnostics: null },
    reason: "recorded messages have them only where the request asked for them",
  })),
  ...[
    { types: claudeReplies, at: "content[]" },
    { types: claudeEvents, at: "content_block" },
  ].map((place): Exception => ({
    ...place,
    when: { type: "text" },
    add: { citations: null },
    reason: "nearly all recorded texts come without it",
  })),
  ...["usage", "message.usage"].map((at): Exception => ({
    types: betaReplies,
    at,
    add: { iterations: null, fallback_credit: null },
    reason: "recorded only where the request was compacted or fell back",
  })),
  ...(
    [
      ["anthropic-beta-reply", "", "message"],
      ["anthropic-beta-event", "message", "message"],
      ["anthropic-beta-event", "", "message_delta"],
    ] as const
  ).map(([kind, at, type]): Exception => ({
    types: [kind],
    at,
    when: { type },
    add: { context_management: null },
    reason: "recorded only where the request edits its context",
  })),
  {
    types: ["anthropic-beta-event"],
    at: "delta",
    when: { type: "thinking_delta" },
    add: { estimated_tokens: null },
    reason: "sent only with the beta that counts thinking tokens",
  },
  ...responsePlaces.flatMap((place): readonly Exception[] => [
    {
      ...place,
      when: { user: null },
      drop: "user",
      reason: "null in every recorded response",
    },
    {
      ...place,
      drop: "store",
      reason: "every recorded response repeats it; the types have it in the request alone",
    },
    {
      ...place,
      when: { object: "response" },
      add: { access_programs: null },
      reason: "newer than any recording; null is what it says where nothing was chosen",
    },
  ]),
  {
    types: ["responses-event"],
    at: "response",
    when: { usage: null },
    drop: "usage",
    reason: "null in every recorded event before the last one",
  },
  {
    types: ["responses-event"],
    at: "",
    drop: "obfuscation",
    reason: "recorded on every delta: padding against guesses by length",
  },
  {
    types: ["chat-reply", "chat-event"],
    at: "",
    when: { system_fingerprint: null },
    drop: "system_fingerprint",
    reason: "recorded as null for newer models",
  },
  {
    types: ["google-reply"],
    at: "usageMetadata",
    when: { serviceTier: "standard" },
    drop: "serviceTier",
    reason: "recorded here; the types have it in the request alone",
  },
];

/** An entry that a run does not need fails the run: the types have caught up, or nobody sends it. */
export const exceptions: readonly Exception[] = [
  ...replyExceptions,
  ...["temperature", "top_p", "top_k"].map((drop): Exception => ({
    types: ["anthropic-request", "anthropic-beta-request"],
    at: "",
    drop,
    reason: "older models still take sampling; the newest types leave it out for all",
  })),
  {
    types: ["responses-request"],
    at: "input[].content[]",
    when: { type: "output_text" },
    add: { annotations: [] },
    reason: "the type is the one of answers; the service takes its texts back without annotations",
  },
  {
    types: ["responses-request"],
    at: "input[]",
    when: { type: "message", role: "assistant" },
    add: { id: "msg_1", status: "completed" },
    reason: "the type is the one of answers; the service takes messages back without id or status",
  },
  {
    types: ["responses-request"],
    at: "input[].content[]",
    when: { type: "input_image" },
    add: { detail: "auto" },
    reason: "the service takes a missing detail for auto",
  },
];

/** The value with every exception that fits it, and which ones did. */
export function applyExceptions(
  type: VendorType,
  value: JsonValue,
  table: readonly Exception[],
): { readonly value: JsonValue; readonly used: readonly Exception[] } {
  const used: Exception[] = [];
  let judged = value;
  for (const exception of table) {
    if (!exception.types.includes(type)) continue;
    const next = changeAt(judged, stepsOf(exception.at), (found) => excuse(found, exception));
    if (next === judged) continue;
    used.push(exception);
    judged = next;
  }
  return { value: judged, used };
}

/** `input[].content[]` is `input`, `[]`, `content`, `[]`. */
const stepsOf = (path: string): readonly string[] => path.match(/[^.[\]]+|\[\]/g) ?? [];

function excuse(value: JsonObject, { when = {}, drop, add = {} }: Exception): JsonObject {
  if (Object.entries(when).some(([name, wanted]) => value[name] !== wanted)) return value;
  if (drop !== undefined && drop in value) {
    const { [drop]: _, ...rest } = value;
    return rest;
  }
  return Object.keys(add).some((name) => !(name in value)) ? { ...add, ...value } : value;
}

/** A copy with the objects at a path changed; the value itself where nothing changed. */
function changeAt(
  value: JsonValue,
  [step, ...rest]: readonly string[],
  change: (found: JsonObject) => JsonObject,
): JsonValue {
  if (step === undefined) return isJsonObject(value) ? change(value) : value;
  if (step === "[]") {
    if (!Array.isArray(value)) return value;
    const items = value as readonly JsonValue[];
    const changed = items.map((item) => changeAt(item, rest, change));
    return changed.some((item, at) => item !== items[at]) ? changed : value;
  }
  const member = isJsonObject(value) ? value[step] : undefined;
  if (member === undefined) return value;
  const changed = changeAt(member, rest, change);
  return changed === member ? value : { ...(value as JsonObject), [step]: changed };
}
