import { MullError } from "../../types/error.ts";
import type { StreamEvent } from "../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";
import type { AssistantPart } from "../../types/message.ts";
import type { DecodeContext } from "../../types/wire.ts";
import { limits } from "../limits.ts";
import {
  callPart,
  cutCall,
  isRepeated,
  openCall,
  readCallEntry,
  type CallDelta,
  type CallDraft,
} from "./calls.ts";
import { makeSeal } from "./parts.ts";
import { addDetails, detailsText, hasSummary } from "./reasoning-details.ts";
import { createTagSplitter, type TagPair } from "./think-tags.ts";

interface TextDraft {
  readonly kind: "text";
  readonly index: number;
  readonly refusal: boolean;
  text: string;
  seal?: JsonObject;
}

interface ThinkingDraft {
  readonly kind: "thinking";
  readonly index: number;
  readonly startedAt: number;
  /** The field the thinking came in, and goes back under. */
  field: string | undefined;
  text: string;
  readonly sides: Map<string, JsonValue>;
}

/** Builds the parts of one message out of deltas, or out of the whole message as one delta. */
export interface Assembler {
  /** Events of what follows go here. */
  readonly into: (out: StreamEvent[]) => void;
  readonly read: (message: JsonObject) => void;
  readonly text: (delta: string) => void;
  readonly thinking: (delta: string, field: string) => void;
  readonly toolInput: (call: CallDraft, delta: string) => void;
  /** The call that a chunk without id continues. */
  readonly callAt: (index: number) => CallDraft | undefined;
  readonly close: () => readonly AssistantPart[];
  readonly partial: () => readonly AssistantPart[];
}

/** Text fields of thinking, first non-empty wins: some servers send the same text under two names. */
export const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text"] as const;
/** The vendor's own first, then every name that is in use. */
export const fieldsOf = ({ quirks }: DecodeContext): readonly string[] => [
  ...new Set([...(quirks?.thinkingFields ?? []), ...thinkingFields]),
];

/** What must go back beside the text. */
const sideFields = ["reasoning_details", "thinking_blocks", "reasoning_opaque"] as const;

export function createAssembler(context: DecodeContext, isStream: boolean): Assembler {
  const fields = fieldsOf(context);
  const tags = context.quirks?.thinkTags;
  const splitter = tags?.length
    ? createTagSplitter(tags, context.quirks?.impliedOpenTag === true)
    : undefined;
  const parts: (AssistantPart | undefined)[] = [];
  const calls: CallDraft[] = [];
  const callByIndex = new Map<number, CallDraft>();
  let open: TextDraft | ThinkingDraft | undefined;
  /** Seals given for the whole message; they belong to a part that is known only at the end. */
  let messageSeal: JsonObject | undefined;
  let out: StreamEvent[] = [];

  const reserve = (): number => {
    if (parts.length >= limits.blocks) {
      throw new MullError(`chat.completion.chunk: more than ${limits.blocks} parts`, {
        category: "protocol",
        code: "too_many_parts",
        provider: context.origin.provider,
      });
    }
    return parts.push(undefined) - 1;
  };

  const finish = (index: number, part: AssistantPart): void => {
    parts[index] = part;
    out.push({ type: "part", index, part });
  };

  const closeOpen = (): void => {
    const draft = open;
    open = undefined;
    if (draft?.kind === "text") finish(draft.index, textPart(draft, context));
    else if (draft !== undefined) finish(draft.index, thinkingPart(draft, context, isStream));
  };

  const openThinking = (field: string | undefined): ThinkingDraft => {
    closeOpen();
    const startedAt = isStream ? context.now() : 0;
    open = { kind: "thinking", index: reserve(), startedAt, field, text: "", sides: new Map() };
    return open;
  };

  const thinking = (delta: string, field: string): void => {
    if (delta === "") return;
    const draft = open?.kind === "thinking" ? open : openThinking(field);
    draft.field ??= field;
    draft.text += delta;
    out.push({ type: "thinking", index: draft.index, delta });
  };

  const plainText = (delta: string, refusal: boolean): void => {
    if (delta === "") return;
    if (open?.kind !== "text" || open.refusal !== refusal) {
      closeOpen();
      open = { kind: "text", index: reserve(), refusal, text: "" };
    }
    open.text += delta;
    out.push({ type: "text", index: open.index, delta });
  };

  const tagged = (kind: "thinking" | "text", piece: string, pair: TagPair): void => {
    if (kind === "text") return plainText(piece, false);
    thinking(piece, "content");
    if (open?.kind === "thinking" && !open.sides.has("tags")) open.sides.set("tags", pair);
  };

  const text = (delta: string): void => {
    if (splitter === undefined) plainText(delta, false);
    else splitter.push(delta, tagged);
  };

  const side = (name: string, value: JsonValue | undefined): void => {
    const isList = Array.isArray(value);
    if (!isList && (typeof value !== "string" || value === "")) return;
    let draft = open?.kind === "thinking" ? open : undefined;
    if (draft === undefined) {
      if (value.length === 0) return;
      if (open === undefined && calls.length === 0) draft = openThinking(undefined);
    }
    if (draft === undefined) {
      // The text that is open goes on behind it: a part of its own keeps the order of arrival.
      const index = reserve();
      const late: ThinkingDraft = {
        kind: "thinking",
        index,
        startedAt: 0,
        field: name,
        text: "",
        sides: new Map([[name, value]]),
      };
      return finish(index, thinkingPart(late, context, false));
    }
    const before = draft.sides.get(name);
    draft.sides.set(
      name,
      isList && isStream && Array.isArray(before) ? addDetails(before, value) : value,
    );
  };

  const chunk = (value: JsonValue): void => {
    if (!isJsonObject(value)) return;
    const { type } = value;
    if (type === "thinking") {
      const inner = value["thinking"];
      thinking(
        typeof inner === "string" ? inner : Array.isArray(inner) ? detailsText(inner) : "",
        "content",
      );
      side("signature", value["signature"]);
    } else if (typeof value["text"] === "string" && (type === "text" || type === "output_text")) {
      text(value["text"]);
    } else if (type === "refusal" && typeof value["refusal"] === "string") {
      plainText(value["refusal"], true);
    } else {
      closeOpen();
      finish(reserve(), { type: "opaque", wire: "openai-chat", kind: String(type), data: value });
    }
  };

  const image = (value: JsonValue): void => {
    const inner = isJsonObject(value) ? value["image_url"] : undefined;
    const url = isJsonObject(inner) ? inner["url"] : undefined;
    if (typeof url !== "string") return;
    const data = /^data:([^;,]+);base64,/.exec(url);
    closeOpen();
    finish(reserve(), {
      type: "file",
      mediaType: data?.[1] ?? "image/*",
      source:
        data === null ? { type: "url", url } : { type: "base64", data: url.slice(data[0].length) },
    });
  };

  const call = (entry: JsonValue): void => {
    const delta = readCallEntry(entry);
    if (delta === undefined) return;
    const known = isStream ? openCall(delta, calls, callByIndex, context) : undefined;
    if (known !== undefined) return continueCall(known, delta);
    closeOpen();
    const draft: CallDraft = {
      index: reserve(),
      given: delta.id,
      id: delta.id || context.newId(),
      name: "",
      input: "",
      custom: delta.custom,
      announced: false,
    };
    calls.push(draft);
    if (delta.index !== undefined) callByIndex.set(delta.index, draft);
    continueCall(draft, delta);
  };

  const continueCall = (draft: CallDraft, delta: CallDelta): void => {
    if (draft.name === "") draft.name = delta.name;
    if (delta.seal !== undefined) draft.seal = delta.seal;
    if (delta.extra !== undefined) draft.extra = delta.extra;
    if (!isRepeated(draft, delta.input)) toolInput(draft, delta.input);
  };

  const toolInput = (target: CallDraft, delta: string): void => {
    const held = target.announced ? "" : target.input;
    target.input += delta;
    if (target.name === "") return;
    if (!target.announced) {
      target.announced = true;
      out.push({ type: "tool-call", index: target.index, id: target.id, name: target.name });
    }
    const news = held + delta;
    if (news !== "") out.push({ type: "tool-input", index: target.index, delta: news });
  };

  const readThinking = (message: JsonObject): void => {
    const field = fields.find((name) => typeof message[name] === "string" && message[name] !== "");
    if (field !== undefined) thinking(message[field] as string, field);
    for (const name of sideFields) {
      const value = message[name];
      const isOwnText =
        open?.kind !== "thinking" || open.field === undefined || open.field === name;
      if (field === undefined && isOwnText && Array.isArray(value))
        thinking(detailsText(value), name);
      side(name, value);
    }
  };

  const read = (message: JsonObject): void => {
    readThinking(message);
    const { content, refusal, tool_calls, function_call, images } = message;
    if (typeof content === "string") text(content);
    else if (Array.isArray(content)) content.forEach(chunk);
    if (typeof refusal === "string") plainText(refusal, true);
    if (Array.isArray(images)) images.forEach(image);
    if (Array.isArray(tool_calls)) tool_calls.forEach(call);
    else if (isJsonObject(function_call)) call({ index: 0, function: function_call });
    const { extra_content, thought_signature } = message;
    if (isJsonObject(extra_content)) messageSeal = { ...messageSeal, extra_content };
    if (typeof thought_signature === "string") messageSeal = { ...messageSeal, thought_signature };
  };

  const placeMessageSeal = (): void => {
    if (messageSeal === undefined) return;
    const data = { message: messageSeal };
    const target =
      calls.find((draft) => draft.seal === undefined) ?? (open?.kind === "text" ? open : undefined);
    if (target !== undefined) target.seal = data;
    else
      finish(reserve(), {
        type: "thinking",
        text: "",
        visibility: "hidden",
        seal: makeSeal(data, context),
      });
  };

  const close = (): readonly AssistantPart[] => {
    splitter?.flush(tagged);
    placeMessageSeal();
    closeOpen();
    for (const draft of calls) {
      if (!draft.announced) {
        out.push({ type: "tool-call", index: draft.index, id: draft.id, name: draft.name });
        if (draft.input !== "")
          out.push({ type: "tool-input", index: draft.index, delta: draft.input });
      }
      finish(draft.index, callPart(draft, context));
    }
    return parts as AssistantPart[];
  };

  const partial = (): readonly AssistantPart[] => {
    const snapshot = [...parts];
    if (open?.kind === "text") {
      snapshot[open.index] = {
        type: "text",
        text: open.text,
        ...(open.refusal && { refusal: true }),
        cut: true,
        send: false,
      };
    } else if (open !== undefined) {
      snapshot[open.index] = {
        type: "thinking",
        text: open.text,
        visibility: open.text === "" ? "hidden" : "full",
        startedAt: open.startedAt,
        cut: true,
        send: false,
      };
    }
    for (const draft of calls) snapshot[draft.index] ??= cutCall(draft);
    return snapshot.filter((part) => part !== undefined);
  };

  return {
    into: (target) => {
      out = target;
    },
    read,
    text,
    thinking,
    toolInput,
    callAt: (index) => callByIndex.get(index),
    close,
    partial,
  };
}

const textPart = (draft: TextDraft, context: DecodeContext): AssistantPart => ({
  type: "text",
  text: draft.text,
  ...(draft.refusal && { refusal: true }),
  ...(draft.seal !== undefined && { seal: makeSeal(draft.seal, context) }),
});

function thinkingPart(
  draft: ThinkingDraft,
  context: DecodeContext,
  isStamped: boolean,
): AssistantPart {
  const { text, sides, startedAt } = draft;
  const field = draft.field ?? ([...sides.keys()][0] as string);
  const details = sides.get("reasoning_details");
  const isSummary = Array.isArray(details) && hasSummary(details);
  return {
    type: "thinking",
    text,
    visibility: text === "" ? "hidden" : isSummary ? "summary" : "full",
    seal: makeSeal({ field, ...Object.fromEntries(sides) }, context),
    ...(isStamped && { startedAt, durationMs: Math.max(0, context.now() - startedAt) }),
  };
}
