import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type {
  AssistantPart,
  FilePart,
  ThinkingPart,
  ToolCallPart,
} from "../../../types/message.ts";
import { urlOf } from "../../common/data-url.ts";
import { asText, without } from "../../common/json-reading.ts";
import { extraOn, sealedOn } from "../../common/answer.ts";
import { writeInput } from "../../common/tool-input.ts";
import { wire } from "../client/message-parts.ts";

/** How a thinking part is written: its field, and the fields next to it. */
interface Form {
  readonly field: string;
  readonly tags: readonly JsonValue[] | undefined;
  readonly signature: JsonValue | undefined;
  readonly sides: JsonObject;
  /** All of it stands next to the message. */
  readonly isBeside: boolean;
}

function formOf(part: ThinkingPart): Form {
  const { field, tags, signature, message, ...sides } = sealedOn(wire, part);
  return {
    isBeside: isJsonObject(message),
    field: typeof field === "string" ? field : "reasoning_content",
    tags: Array.isArray(tags) ? tags : undefined,
    signature,
    sides,
  };
}

/** A part that is being written: the thinking in its form, or a call with its place. */
export type OpenPart =
  | { readonly type: "text"; readonly key: "content" | "refusal" }
  | { readonly type: "thinking"; readonly form: Form }
  | { readonly type: "call"; readonly index: number; readonly key: keyof typeof callKeys };

/** How a part begins; `calls` have begun before it. */
export function openPart(
  part: AssistantPart,
  calls: number,
): { readonly open?: OpenPart; readonly delta?: JsonObject } {
  switch (part.type) {
    case "text":
      return { open: { type: "text", key: part.refusal ? "refusal" : "content" } };
    case "thinking": {
      const form = formOf(part);
      const { tags } = form;
      return {
        open: { type: "thinking", form },
        ...(tags !== undefined && { delta: { content: `${asText(tags[0])}\n` } }),
      };
    }
    case "tool-call": {
      const { key, body } = callBody(part);
      const head = { ...callHead(part), [key]: { ...body, [callKeys[key]]: "" } };
      const delta = { tool_calls: [{ index: calls, ...head }] };
      return { open: { type: "call", index: calls, key }, delta };
    }
    case "file":
      return { delta: { images: [image(part)] } };
    case "opaque":
    default:
      return part.wire === wire ? { delta: { content: [part.data] } } : {};
  }
}

/** One more piece of an open part. */
export function partDelta(open: OpenPart, text: string): readonly JsonObject[] {
  switch (open.type) {
    case "text":
      return [{ [open.key]: text }];
    case "thinking": {
      const { field, tags, sides, isBeside } = open.form;
      if (tags !== undefined) return [{ content: text }];
      if (field === "content") return [{ content: [chunk(text, false, undefined)] }];
      return field in sides || isBeside ? [] : [{ [field]: text }];
    }
    case "call":
    default: {
      const { index, key } = open;
      const custom = key === "custom" && { type: "custom" };
      return [{ tool_calls: [{ index, ...custom, [key]: { [callKeys[key]]: text } }] }];
    }
  }
}

/** How a part ends: with the fields that go with a thought. */
export function closePart(open: OpenPart, part: AssistantPart): readonly JsonObject[] {
  if (open.type !== "thinking" || part.type !== "thinking") return [];
  const { tags, field } = open.form;
  const { signature, sides } = formOf(part);
  const ending = tags === undefined ? [chunk("", true, signature)] : `\n${asText(tags[1])}\n\n`;
  return [
    ...(tags !== undefined || field === "content" ? [{ content: ending }] : []),
    ...Object.entries(sides).map(([name, value]): JsonObject => ({ [name]: value })),
  ];
}

const inTags = (text: string, tags: readonly JsonValue[]): string =>
  `${asText(tags[0])}\n${text}\n${asText(tags[1])}\n\n`;

const chunk = (text: string, isLast: boolean, signature: JsonValue | undefined): JsonObject => ({
  type: "thinking",
  thinking: [{ type: "text", text }],
  ...(isLast && { closed: true, ...(signature !== undefined && { signature }) }),
});

const callKeys = { function: "arguments", custom: "input" } as const;

interface CallBody {
  readonly key: keyof typeof callKeys;
  readonly body: JsonObject;
  readonly text: string;
}

const callBody = (part: ToolCallPart): CallBody =>
  typeof part.input === "string"
    ? { key: "custom", body: { name: part.name }, text: part.input }
    : { key: "function", body: { name: part.name }, text: part.invalid?.raw ?? writeInput(part) };

function callHead(part: ToolCallPart): JsonObject {
  const seal = without(sealedOn(wire, part), "message");
  const type = typeof part.input === "string" ? "custom" : "function";
  return { id: part.localId ? "" : part.id, type, ...seal, ...extraOn(wire, part) };
}

/** The message of a whole answer. */
export function replyMessage(parts: readonly AssistantPart[]): JsonObject {
  const chunks: JsonObject[] = [];
  let text = "";
  let refusal: string | null = null;
  const thinking = new Map<string, string>();
  const beside = new Map<string, JsonValue | undefined>();
  const calls: JsonObject[] = [];
  const images: JsonObject[] = [];
  for (const part of parts) {
    if (part.type === "opaque") chunks.push(...(part.wire === wire ? [part.data] : []));
    else if (part.type === "file") images.push(image(part));
    else if (part.type === "tool-call") {
      const { key, body, text: input } = callBody(part);
      calls.push({ ...callHead(part), [key]: { ...body, [callKeys[key]]: input } });
    } else if (part.type === "text" && part.refusal) refusal = (refusal ?? "") + part.text;
    else if (part.type === "text") {
      text += part.text;
      chunks.push({ type: "text", text: part.text });
    } else {
      const { field, tags, signature, sides, isBeside } = formOf(part);
      if (tags !== undefined) text += inTags(part.text, tags);
      else if (field === "content") chunks.push(chunk(part.text, true, signature));
      else if (!(field in sides) && !isBeside && part.text !== "") {
        thinking.set(field, (thinking.get(field) ?? "") + part.text);
      }
      // Each thought brings its own `reasoning_details`, and the message has one list for all of them.
      for (const [name, value] of Object.entries(sides)) {
        const before = beside.get(name);
        const isList = Array.isArray(before) && Array.isArray(value);
        beside.set(name, isList ? [...before, ...value] : value);
      }
    }
  }
  const isChunked = chunks.some(({ type }) => type !== "text");
  return {
    role: "assistant",
    content: isChunked
      ? chunks
      : text === "" && (calls.length > 0 || refusal !== null)
        ? null
        : text,
    refusal,
    ...Object.fromEntries(thinking),
    ...Object.fromEntries(beside),
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...besideMessage(parts),
  };
}

export const besideMessage = (parts: readonly AssistantPart[]): JsonObject | undefined =>
  parts.map((part) => sealedOn(wire, part)["message"]).find(isJsonObject);

const image = (part: FilePart): JsonObject => ({
  type: "image_url",
  image_url: { url: part.source.type === "id" ? part.source.id : urlOf(part) },
});
