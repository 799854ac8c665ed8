import { isJsonObject, type JsonObject, type JsonValue } from "mull";
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

/** An entry that a run does not need fails the run: the types have caught up, or nobody sends it. */
export const exceptions: readonly Exception[] = [
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
