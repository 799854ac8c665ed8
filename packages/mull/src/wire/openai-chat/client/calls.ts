import type { MullError } from "../../../types/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { ToolCallPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { makeSeal } from "../../common/answer.ts";
import { limits } from "../../common/limits.ts";
import { parseToolInput } from "../../common/tool-input.ts";

export interface CallDraft {
  readonly index: number;
  /** The id the service gave, empty when it gave none. */
  readonly given: string;
  readonly id: string;
  name: string;
  input: string;
  readonly custom: boolean;
  /** The `tool-call` event is out. */
  announced: boolean;
  seal?: JsonObject;
  extra?: JsonObject;
}

/** One entry of `tool_calls`, whole or in part. */
export interface CallDelta {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly custom: boolean;
  readonly seal: JsonObject | undefined;
  readonly extra: JsonObject | undefined;
}

const modelled: ReadonlySet<string> = new Set(
  "index id type function custom extra_content thought_signature".split(" "),
);

/**
 * Reads an entry of `tool_calls`; `undefined` for an empty one, such as the `function_call` some
 * servers always send.
 */
export function readCallEntry(entry: JsonValue): CallDelta | undefined {
  if (!isJsonObject(entry)) return undefined;
  // Snowflake sends an empty `custom` beside every function.
  const custom =
    isJsonObject(entry["custom"]) &&
    (entry["type"] === "custom" || !isJsonObject(entry["function"]));
  const body = custom ? entry["custom"] : entry["function"];
  const { name, arguments: args, input } = isJsonObject(body) ? body : ({} as JsonObject);
  const delta = {
    index: typeof entry["index"] === "number" ? entry["index"] : undefined,
    id: typeof entry["id"] === "string" ? entry["id"] : "",
    name: typeof name === "string" ? name : "",
    input: inputText(custom ? input : args),
    custom,
    seal: readSeal(entry),
    extra: readExtra(entry),
  };
  return delta.id === "" && delta.name === "" && delta.input === "" ? undefined : delta;
}

/** A few servers send the arguments as an object. */
const inputText = (value: JsonValue | undefined): string =>
  typeof value === "string"
    ? value
    : value === undefined || value === null
      ? ""
      : JSON.stringify(value);

function readSeal(entry: JsonObject): JsonObject | undefined {
  const { extra_content, thought_signature } = entry;
  if (!isJsonObject(extra_content) && typeof thought_signature !== "string") return undefined;
  return {
    ...(isJsonObject(extra_content) && { extra_content }),
    ...(typeof thought_signature === "string" && { thought_signature }),
  };
}

function readExtra(entry: JsonObject): JsonObject | undefined {
  const extra = Object.entries(entry).filter(
    ([name, value]) => !modelled.has(name) && value !== undefined && value !== null,
  );
  return extra.length === 0 ? undefined : Object.fromEntries(extra);
}

/** The call that a piece continues; `undefined` where it starts a new one. */
export function openCall(
  delta: CallDelta,
  calls: readonly CallDraft[],
  byIndex: ReadonlyMap<number, CallDraft>,
  fail: (code: string, message: string) => MullError,
): CallDraft | undefined {
  const { index, id, name, input } = delta;
  if (
    index !== undefined &&
    !(Number.isSafeInteger(index) && index >= 0 && index <= limits.blocks)
  ) {
    throw fail("unexpected_event", `tool_calls index ${index} is impossible`);
  }
  const known = index === undefined ? calls.at(-1) : byIndex.get(index);
  if (known === undefined) {
    if (id === "" && name === "")
      throw fail("unexpected_event", "a tool call goes on that never began");
    return undefined;
  }
  // Some servers give every parallel call the index 0, or none: another id is another call.
  if (id !== "") return id === known.given || known.given === "" ? known : undefined;
  const isNext =
    name !== "" && known.given === "" && known.input.endsWith("}") && input !== known.input;
  return isNext ? undefined : known;
}

/** Whether a piece repeats a call that is already whole: its first frame came twice. */
export const isRepeated = (call: CallDraft, { id, name, input }: CallDelta): boolean =>
  (id !== "" || name !== "") &&
  input === call.input &&
  input.startsWith("{") &&
  input.endsWith("}");

export function callPart(draft: CallDraft, context: DecodeContext): ToolCallPart {
  const { id, name, given, seal, extra } = draft;
  // Models that call a tool without arguments write `null`.
  const read = draft.custom
    ? { input: draft.input }
    : parseToolInput(draft.input === "null" ? "" : draft.input);
  return {
    type: "tool-call",
    id,
    name,
    ...read,
    ...(given === "" && { localId: true }),
    ...(seal !== undefined && { seal: makeSeal(seal, context) }),
    ...(extra !== undefined && { extra: { wire: "openai-chat", fields: extra } }),
  };
}
