import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { AssistantPart, ToolCallPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { cutCall, makeSeal } from "../../common/answer.ts";
import { asObject, asText } from "../../common/json-reading.ts";
import { limits } from "../../common/limits.ts";
import { parseToolInput } from "../../common/tool-input.ts";
import type { Blocks, Fail } from "./blocks.ts";
import { wire } from "./message-parts.ts";

/**
 * The tool calls of a message while it arrives. All stay open to the end, since servers interleave
 * their pieces.
 */
export class CallList {
  readonly #blocks: Blocks;
  readonly #context: DecodeContext;
  readonly #isStream: boolean;
  readonly #fail: Fail;
  readonly #calls: CallDraft[] = [];
  readonly #byIndex = new Map<number, CallDraft>();

  constructor(blocks: Blocks, context: DecodeContext, isStream: boolean, fail: Fail) {
    this.#blocks = blocks;
    this.#context = context;
    this.#isStream = isStream;
    this.#fail = fail;
  }

  read(entry: JsonValue): void {
    const delta = readCallEntry(entry);
    if (delta === undefined) return;
    const known = this.#isStream
      ? openCall(delta, this.#calls, this.#byIndex, this.#fail)
      : undefined;
    const draft = known ?? this.#begin(delta);
    if (draft.name === "") draft.name = delta.name;
    if (delta.seal !== undefined) draft.seal = delta.seal;
    if (delta.extra !== undefined) draft.extra = delta.extra;
    if (!isRepeated(draft, delta)) this.#addInput(draft, delta.input);
  }

  /** More arguments for the call that was last begun at this index. */
  continue(index: number, delta: string): void {
    const draft = this.#byIndex.get(index);
    if (draft !== undefined) this.#addInput(draft, delta);
    else this.read({ index, function: { arguments: delta } });
  }

  sealFirst(seal: JsonObject): boolean {
    const draft = this.#calls.find((call) => call.seal === undefined);
    if (draft !== undefined) draft.seal = seal;
    return draft !== undefined;
  }

  close(): void {
    for (const draft of this.#calls) {
      if (!draft.announced) this.#announce(draft);
      this.#blocks.place(draft.index, callPart(draft, this.#context));
    }
  }

  cutInto(snapshot: (AssistantPart | undefined)[]): void {
    for (const draft of this.#calls) snapshot[draft.index] ??= cutCall(headOf(draft), draft.input);
  }

  #begin(delta: CallDelta): CallDraft {
    this.#blocks.closeOpen();
    // Some servers give all calls of an answer one id, such as "0".
    const isTaken = this.#isStream && this.#calls.some(({ id }) => id === delta.id);
    const draft: CallDraft = {
      index: this.#blocks.reserve(),
      given: delta.id,
      id: (!isTaken && delta.id) || this.#context.newId(),
      name: "",
      input: "",
      custom: delta.custom,
      announced: false,
    };
    this.#calls.push(draft);
    if (delta.index !== undefined) this.#byIndex.set(delta.index, draft);
    return draft;
  }

  #addInput(draft: CallDraft, delta: string): void {
    draft.input += delta;
    if (!draft.announced) {
      if (draft.name !== "") this.#announce(draft);
    } else if (delta !== "") this.#blocks.emit({ type: "tool-input", index: draft.index, delta });
  }

  #announce(draft: CallDraft): void {
    draft.announced = true;
    const { index, id, name } = draft;
    this.#blocks.emit({ type: "tool-call", index, id, name });
    if (draft.input !== "") this.#blocks.emit({ type: "tool-input", index, delta: draft.input });
  }
}

interface CallDraft {
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
interface CallDelta {
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
function readCallEntry(entry: JsonValue): CallDelta | undefined {
  if (!isJsonObject(entry)) return undefined;
  // Snowflake sends an empty `custom` with every function.
  const custom =
    isJsonObject(entry["custom"]) &&
    (entry["type"] === "custom" || !isJsonObject(entry["function"]));
  const body = custom ? entry["custom"] : entry["function"];
  const { name, arguments: args, input } = asObject(body);
  const delta = {
    index: typeof entry["index"] === "number" ? entry["index"] : undefined,
    id: asText(entry["id"]),
    name: asText(name),
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

function readSeal({ extra_content, thought_signature }: JsonObject): JsonObject | undefined {
  const seal = {
    ...(isJsonObject(extra_content) && { extra_content }),
    ...(typeof thought_signature === "string" && { thought_signature }),
  };
  return Object.keys(seal).length === 0 ? undefined : seal;
}

function readExtra(entry: JsonObject): JsonObject | undefined {
  const extra = Object.entries(entry).filter(
    ([name, value]) => !modelled.has(name) && value !== undefined && value !== null,
  );
  return extra.length === 0 ? undefined : Object.fromEntries(extra);
}

/** The call that a piece continues; `undefined` if it starts a new one. */
function openCall(
  delta: CallDelta,
  calls: readonly CallDraft[],
  byIndex: ReadonlyMap<number, CallDraft>,
  fail: Fail,
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
      throw fail("unexpected_event", "a tool call continues that never began");
    return undefined;
  }
  // Some servers give every parallel call the index 0, or none: another id is another call.
  if (id !== "") return id === known.given || known.given === "" ? known : undefined;
  const isNext =
    name !== "" && known.given === "" && known.input.endsWith("}") && input !== known.input;
  return isNext ? undefined : known;
}

/** Whether a piece repeats a call that is already whole: its first frame came twice. */
const isRepeated = (call: CallDraft, { id, name, input }: CallDelta): boolean =>
  (id !== "" || name !== "") &&
  input === call.input &&
  input.startsWith("{") &&
  input.endsWith("}");

function callPart(draft: CallDraft, context: DecodeContext): ToolCallPart {
  const { seal, extra } = draft;
  // Models that call a tool without arguments write `null`.
  const read = draft.custom
    ? { input: draft.input }
    : parseToolInput(draft.input === "null" ? "" : draft.input);
  return {
    type: "tool-call",
    ...headOf(draft),
    ...read,
    ...(seal !== undefined && { seal: makeSeal(seal, context) }),
    ...(extra !== undefined && { extra: { wire, fields: extra } }),
  };
}

const headOf = ({ id, name, given }: CallDraft): Pick<ToolCallPart, "id" | "name" | "localId"> => ({
  id,
  name,
  ...(given === "" && { localId: true }),
});
