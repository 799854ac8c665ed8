import type { MullError } from "../../../types/error.ts";
import type { StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
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
import { createPartialArgs, type PartialArgs } from "./partial-args.ts";
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
  /** The arguments as they arrived, where they came whole. */
  readonly inputText: string | undefined;
  invalid: ToolInput["invalid"];
}

/** Joins deltas into parts, in order, and emits events. */
export interface PartBuilder {
  readonly add: (part: JsonObject, out: StreamEvent[], texts?: ValueTexts) => void;
  readonly addText: (kind: TextKind, delta: string, out: StreamEvent[]) => void;
  /** Ends the part that is open. */
  readonly close: (out: StreamEvent[]) => void;
  readonly finished: readonly AssistantPart[];
  /** The open part as a broken stream leaves it: readable, never sent, without a signature. */
  readonly cut: () => readonly AssistantPart[];
}

/** Makes the error of an impossible sequence, with what arrived so far. */
export type Fail = (code: string, what: string) => MullError;

/** Makes a part builder. `stamped` gives thinking its times, which only a stream has. */
export function createPartBuilder(
  context: DecodeContext,
  stamped: boolean,
  fail: Fail,
): PartBuilder {
  const parts: AssistantPart[] = [];
  const calls = createCallHeads(context);
  let draft: TextDraft | CallDraft | undefined;

  const nextIndex = (): number => {
    if (parts.length < limits.blocks) return parts.length;
    throw fail("too_many_parts", `more than ${limits.blocks} parts`);
  };

  const commit = (part: AssistantPart, out: StreamEvent[]): void => {
    out.push({ type: "part", index: nextIndex(), part });
    parts.push(part);
  };

  const close = (out: StreamEvent[]): void => {
    if (draft === undefined) return;
    const part = draft.kind === "call" ? draftedCall(draft, context) : draftedText(draft);
    draft = undefined;
    if (part.type === "tool-call") pushInput(part, parts.length, out);
    commit(part, out);
  };

  const draftedText = (open: TextDraft): TextPart | ThinkingPart => {
    if (open.kind === "text") return textPart(open.text, {}, context);
    return stamp(thinkingPart(open.text, {}, context), open.startedAt);
  };

  const stamp = (part: ThinkingPart, startedAt: number): ThinkingPart =>
    stamped ? { startedAt, durationMs: context.now() - startedAt, ...part } : part;

  const addText = (kind: TextKind, delta: string, out: StreamEvent[]): void => {
    if (draft === undefined || draft.kind !== kind) {
      close(out);
      const startedAt = stamped && kind === "thinking" ? context.now() : 0;
      draft = { kind, index: nextIndex(), text: "", startedAt };
    }
    draft.text += delta;
    out.push({ type: kind, index: draft.index, delta });
  };

  const addTextPart = (part: JsonObject, text: string, out: StreamEvent[]): void => {
    const whole =
      part["thought"] === true ? thinkingPart(text, part, context) : textPart(text, part, context);
    if (whole.seal === undefined && whole.extra === undefined) {
      if (text !== "") addText(whole.type, text, out);
      return;
    }
    // Signed and unsigned text never join: the signature must go back on the text it came with.
    close(out);
    if (text !== "") out.push({ type: whole.type, index: nextIndex(), delta: text });
    commit(whole.type === "thinking" ? stamp(whole, stamped ? context.now() : 0) : whole, out);
  };

  /** False where the call was here before and is closed. */
  const openCall = (
    part: JsonObject,
    call: JsonObject,
    name: string,
    out: StreamEvent[],
    texts?: ValueTexts,
  ): boolean => {
    const head = calls.headOf(call, name);
    // Some servers name the call in each of its pieces.
    if (head === undefined) return draft?.kind === "call" && draft.head.id === call["id"];
    close(out);
    const index = nextIndex();
    out.push({ type: "tool-call", index, id: head.id, name });
    const { input, invalid } = checkToolInput(call["args"]);
    const args = createPartialArgs(asObject(input));
    const inputText = invalid === undefined ? texts?.(call["args"]) : undefined;
    draft = { kind: "call", index, head, part, call, args, inputText, invalid };
    return true;
  };

  const addCall = (
    part: JsonObject,
    call: JsonObject,
    out: StreamEvent[],
    texts?: ValueTexts,
  ): void => {
    const pieces = Array.isArray(call["partialArgs"]) ? call["partialArgs"] : [];
    const { name } = call;
    if (typeof name === "string" && name !== "" && !openCall(part, call, name, out, texts)) return;
    if (draft?.kind !== "call") {
      // `{}` closes a streamed call; a second one closes nothing.
      if (pieces.length === 0) return;
      throw fail("unexpected_part", "functionCall.partialArgs before functionCall.name");
    }
    for (const piece of pieces) {
      const reason = draft.args.add(piece);
      if (reason !== undefined) draft.invalid ??= { raw: "", reason };
    }
    if (call["willContinue"] !== true) close(out);
  };

  const add = (part: JsonObject, out: StreamEvent[], texts?: ValueTexts): void => {
    const { functionCall, text, thoughtSignature } = part;
    if (isJsonObject(functionCall)) return addCall(part, functionCall, out, texts);
    if (typeof text === "string") return addTextPart(part, text, out);
    // A signature with nothing beside it needs a part to go back on.
    if (partKind(part) === undefined && thoughtSignature !== undefined) {
      return addTextPart(part, "", out);
    }
    const other = otherPart(part, context);
    if (other === undefined) return;
    close(out);
    commit(other, out);
  };

  const cut = (): readonly AssistantPart[] => {
    if (draft === undefined) return [];
    const part = draft.kind === "call" ? draftedCall(draft, context) : draftedText(draft);
    const { seal: _, ...bare } = part;
    return [{ ...bare, cut: true, send: false }];
  };

  return { add, addText, close, cut, finished: parts };
}

function draftedCall(open: CallDraft, context: DecodeContext): ToolCallPart {
  const { head, part, call, inputText, invalid } = open;
  if (invalid !== undefined) return { ...callPart(head, {}, part, call, context), invalid };
  const whole = callPart(head, open.args.value(), part, call, context);
  const isWhole = inputText !== undefined && call["partialArgs"] === undefined;
  return isWhole && call["willContinue"] !== true ? { ...whole, inputText } : whole;
}

const pushInput = (part: ToolCallPart, index: number, out: StreamEvent[]): void => {
  if (part.invalid !== undefined) return;
  out.push({ type: "tool-input", index, delta: writeInput(part) });
};

/** Gives calls their ids. The service's own are kept; a missing or repeated one is made here. */
function createCallHeads(context: DecodeContext): {
  readonly headOf: (call: JsonObject, name: string) => CallHead | undefined;
} {
  const byId = new Map<string, JsonObject>();
  const headOf = (call: JsonObject, name: string): CallHead | undefined => {
    const { id } = call;
    const seen = typeof id === "string" ? byId.get(id) : undefined;
    if (seen !== undefined && isSameCall(seen, call)) return undefined;
    if (typeof id !== "string" || id === "" || seen !== undefined) {
      return { id: context.newId(), localId: true, name };
    }
    byId.set(id, call);
    return { id, name };
  };
  return { headOf };
}

/** Tells a call that was sent twice from two calls that were given the same id. */
const isSameCall = (a: JsonObject, b: JsonObject): boolean =>
  a["name"] === b["name"] && inputText(a) === inputText(b);

const inputText = (call: JsonObject): string => JSON.stringify(checkToolInput(call["args"]));
