import type { MullError } from "../../../types/error.ts";
import type { StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type {
  AssistantPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
} from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { limits } from "../../common/limits.ts";
import { checkToolInput, type ToolInput, writeInput } from "../../common/tool-input.ts";
import type { ValueTexts } from "../../common/value-texts.ts";
import { asObject } from "../../common/json-reading.ts";
import { type CallHead, callPart, otherPart, partKind, textPart, thinkingPart } from "./parts.ts";

type TextKind = "text" | "thinking";

interface TextDraft {
  readonly kind: TextKind;
  readonly index: number;
  text: string;
  readonly startedAt: number;
}

interface CallDraft {
  readonly kind: "call";
  readonly index: number;
  readonly head: CallHead;
  /** The first piece: it carries the signature. */
  readonly part: JsonObject;
  readonly call: JsonObject;
  readonly args: PartialArgs;
  /** The arguments as they arrived, if they came whole. */
  readonly inputText: string | undefined;
  invalid: ToolInput["invalid"];
}

/** Makes the error of an impossible sequence, with what arrived so far. */
export type Fail = (code: string, what: string) => MullError;

/** Joins deltas into parts, in order, and emits events. */
export class PartBuilder {
  readonly #context: DecodeContext;
  readonly #stamped: boolean;
  readonly #fail: Fail;
  readonly #parts: AssistantPart[] = [];
  readonly #callsById = new Map<string, JsonObject>();
  #draft: TextDraft | CallDraft | undefined;

  /** `stamped` gives thinking its times, which only a stream has. */
  constructor(context: DecodeContext, stamped: boolean, fail: Fail) {
    this.#context = context;
    this.#stamped = stamped;
    this.#fail = fail;
  }

  add(part: JsonObject, out: StreamEvent[], texts?: ValueTexts): void {
    const { functionCall, text, thoughtSignature } = part;
    if (isJsonObject(functionCall)) return this.#addCall(part, functionCall, out, texts);
    if (typeof text === "string") return this.#addTextPart(part, text, out);
    // A signature that came alone needs a part to go back on.
    if (partKind(part) === undefined && thoughtSignature !== undefined) {
      return this.#addTextPart(part, "", out);
    }
    const other = otherPart(part, this.#context);
    if (other === undefined) return;
    this.close(out);
    this.#commit(other, out);
  }

  addText(kind: TextKind, delta: string, out: StreamEvent[]): void {
    let draft = this.#draft;
    if (draft?.kind !== kind) {
      this.close(out);
      const startedAt = this.#stamped && kind === "thinking" ? this.#context.now() : 0;
      this.#draft = draft = { kind, index: this.#nextIndex(), text: "", startedAt };
    }
    draft.text += delta;
    out.push({ type: kind, index: draft.index, delta });
  }

  /** Ends the part that is open. */
  close(out: StreamEvent[]): void {
    const part = this.#drafted();
    if (part === undefined) return;
    this.#draft = undefined;
    if (part.type === "tool-call" && part.invalid === undefined)
      out.push({ type: "tool-input", index: this.#parts.length, delta: writeInput(part) });
    this.#commit(part, out);
  }

  finished(): readonly AssistantPart[] {
    return this.#parts;
  }

  /** The open part as a broken stream leaves it: readable, never sent, without a signature. */
  cut(): readonly AssistantPart[] {
    const part = this.#drafted();
    if (part === undefined) return [];
    const { seal: _, ...bare } = part;
    return [{ ...bare, cut: true, send: false }];
  }

  #nextIndex(): number {
    if (this.#parts.length < limits.blocks) return this.#parts.length;
    throw this.#fail("too_many_parts", `more than ${limits.blocks} parts`);
  }

  #commit(part: AssistantPart, out: StreamEvent[]): void {
    out.push({ type: "part", index: this.#nextIndex(), part });
    this.#parts.push(part);
  }

  #drafted(): TextPart | ThinkingPart | ToolCallPart | undefined {
    const draft = this.#draft;
    if (draft === undefined) return undefined;
    if (draft.kind === "call") return draftedCall(draft, this.#context);
    return draft.kind === "text"
      ? textPart(draft.text, {}, this.#context)
      : this.#stamp(thinkingPart(draft.text, {}, this.#context), draft.startedAt);
  }

  #stamp(part: ThinkingPart, startedAt: number): ThinkingPart {
    return this.#stamped
      ? { startedAt, durationMs: this.#context.now() - startedAt, ...part }
      : part;
  }

  #addTextPart(part: JsonObject, text: string, out: StreamEvent[]): void {
    const read = part["thought"] === true ? thinkingPart : textPart;
    const whole = read(text, part, this.#context);
    if (whole.seal === undefined && whole.extra === undefined) {
      if (text !== "") this.addText(whole.type, text, out);
      return;
    }
    // Signed and unsigned text never join: the signature must go back on the text it came with.
    this.close(out);
    if (text !== "") out.push({ type: whole.type, index: this.#nextIndex(), delta: text });
    const startedAt = this.#stamped ? this.#context.now() : 0;
    this.#commit(whole.type === "thinking" ? this.#stamp(whole, startedAt) : whole, out);
  }

  #addCall(part: JsonObject, call: JsonObject, out: StreamEvent[], texts?: ValueTexts): void {
    const pieces = Array.isArray(call["partialArgs"]) ? call["partialArgs"] : [];
    const { name } = call;
    if (typeof name === "string" && name !== "" && !this.#openCall(part, call, name, out, texts))
      return;
    const draft = this.#draft;
    if (draft?.kind !== "call") {
      // `{}` closes a streamed call; a second one closes nothing.
      if (pieces.length === 0) return;
      throw this.#fail("unexpected_part", "functionCall.partialArgs before functionCall.name");
    }
    for (const piece of pieces) {
      const reason = draft.args.add(piece);
      if (reason !== undefined) draft.invalid ??= { raw: "", reason };
    }
    if (call["willContinue"] !== true) this.close(out);
  }

  /** False if the call was here before and is closed. */
  #openCall(
    part: JsonObject,
    call: JsonObject,
    name: string,
    out: StreamEvent[],
    texts?: ValueTexts,
  ): boolean {
    const head = this.#headOf(call, name);
    // Some servers repeat the name in each piece of a call.
    if (head === undefined)
      return this.#draft?.kind === "call" && this.#draft.head.id === call["id"];
    this.close(out);
    const index = this.#nextIndex();
    out.push({ type: "tool-call", index, id: head.id, name });
    const { input, invalid } = checkToolInput(call["args"]);
    const args = new PartialArgs(asObject(input));
    const inputText = invalid === undefined ? texts?.(call["args"]) : undefined;
    this.#draft = { kind: "call", index, head, part, call, args, inputText, invalid };
    return true;
  }

  /** Gives a call its id: the service's own, or one made here if that is missing or comes twice. */
  #headOf(call: JsonObject, name: string): CallHead | undefined {
    const { id } = call;
    const seen = typeof id === "string" ? this.#callsById.get(id) : undefined;
    if (seen !== undefined && isSameCall(seen, call)) return undefined;
    if (typeof id !== "string" || id === "" || seen !== undefined) {
      return { id: this.#context.newId(), localId: true, name };
    }
    this.#callsById.set(id, call);
    return { id, name };
  }
}

function draftedCall(open: CallDraft, context: DecodeContext): ToolCallPart {
  const { head, part, call, inputText, invalid } = open;
  if (invalid !== undefined) return { ...callPart(head, {}, part, call, context), invalid };
  const whole = callPart(head, open.args.value(), part, call, context);
  const isWhole = inputText !== undefined && call["partialArgs"] === undefined;
  return isWhole && call["willContinue"] !== true ? { ...whole, inputText } : whole;
}

/** Tells a call that was sent twice from two calls that were given the same id. */
const isSameCall = (a: JsonObject, b: JsonObject): boolean =>
  a["name"] === b["name"] && inputText(a) === inputText(b);

const inputText = (call: JsonObject): string => JSON.stringify(checkToolInput(call["args"]));

type ArgumentStep = string | number;
/** An object or, if the steps are numbers, a list. Not a plain object: a step may be `__proto__`. */
type Branch = Map<ArgumentStep, Branch | JsonValue>;

/** Arguments that Vertex streams as values with a JSON path. */
export class PartialArgs {
  readonly #root: Branch = new Map();
  /** The path whose string goes on in the next piece. */
  #growing: string | undefined;

  constructor(seed: JsonObject) {
    for (const [key, value] of Object.entries(seed))
      if (value !== undefined) this.#root.set(key, value);
  }

  /** Returns what is wrong with `piece`, or nothing. */
  add(piece: JsonValue): string | undefined {
    if (!isJsonObject(piece)) return "a partial argument is not an object";
    const path = piece["jsonPath"];
    const steps = typeof path === "string" ? readPath(path) : [];
    if (typeof path !== "string" || steps.length === 0)
      return "a partial argument has no usable path";
    const value = pieceValue(piece);
    const isMore = this.#growing === path;
    this.#growing = piece["willContinue"] === true ? path : undefined;
    return value === undefined || place(this.#root, steps, value, isMore)
      ? undefined
      : "a partial argument does not fit the ones before it";
  }

  value(): JsonObject {
    return Object.fromEntries(grown(this.#root));
  }
}

const stepPattern = /\.([^.[\]'"]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

function readPath(path: string): readonly ArgumentStep[] {
  const steps: ArgumentStep[] = [];
  if (!path.startsWith("$")) return steps;
  const pattern = new RegExp(stepPattern);
  for (pattern.lastIndex = 1; pattern.lastIndex < path.length;) {
    const match = pattern.exec(path);
    if (match === null || steps.length >= limits.jsonDepth) return [];
    const [, name, index, single, double = ""] = match;
    steps.push(index === undefined ? (name ?? unescape(single ?? double)) : Number(index));
  }
  return steps;
}

const unescape = (text: string): string => text.replaceAll(/\\(.)/g, "$1");

function pieceValue(piece: JsonObject): JsonValue | undefined {
  if ("nullValue" in piece) return null;
  return piece["stringValue"] ?? piece["numberValue"] ?? piece["boolValue"];
}

/** Writes `value` at the end of the path, making what is missing on the way. */
function place(
  root: Branch,
  steps: readonly ArgumentStep[],
  value: JsonValue,
  isMore: boolean,
): boolean {
  let branch = root;
  for (const step of steps.slice(0, -1)) {
    if (!isFit(branch, step, root)) return false;
    const next = branch.get(step) ?? new Map<ArgumentStep, Branch | JsonValue>();
    if (!(next instanceof Map)) return false;
    branch.set(step, next);
    branch = next;
  }
  const last = steps.at(-1);
  if (last === undefined || !isFit(branch, last, root)) return false;
  const held = branch.get(last);
  const isGrowing = isMore && typeof held === "string" && typeof value === "string";
  branch.set(last, isGrowing ? held + value : value);
  return true;
}

/** Names go into objects, numbers into lists without gaps: `$.a[4000000000]` must not allocate. */
function isFit(branch: Branch, step: ArgumentStep, root: Branch): boolean {
  const [first] = branch.keys();
  const isList = first === undefined ? branch !== root && typeof step === "number" : first === 0;
  return isList ? typeof step === "number" && step <= branch.size : typeof step === "string";
}

const grown = (branch: Branch): [string, JsonValue][] =>
  Array.from(branch, ([step, value]) => [
    String(step),
    value instanceof Map ? grownValue(value) : value,
  ]);

const grownValue = (branch: Branch): JsonValue =>
  branch.has(0) ? grown(branch).map(([, value]) => value) : Object.fromEntries(grown(branch));
