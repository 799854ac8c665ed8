import type { JsonObject } from "../../../types/json.ts";
import type {
  AssistantPart,
  FilePart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
} from "../../../types/message.ts";
import { asObjects } from "../../common/json-reading.ts";
import { wireId } from "../client/parts.ts";
import { extraOn, sealedOn } from "../../common/answer.ts";
import { callItem } from "../client/messages.ts";

const longestId = 64;

/** Ids of one answer share its own, as the service's do. */
const newItemId = (prefix: string, replyId: string, position: number): string => {
  const tail = String(position).padStart(4, "0");
  const stem = replyId.replace(/^resp_/, "").replaceAll(/[^\w-]/g, "");
  return `${prefix}_${stem.slice(0, longestId - prefix.length - tail.length - 1)}${tail}`;
};

/** The output items of an answer. Parts without a seal get new ids. */
export function outputItems(
  parts: readonly AssistantPart[],
  replyId: string,
): readonly JsonObject[] {
  const items: JsonObject[] = [];
  for (const part of parts) {
    const item = outputItem(part, replyId, items.length);
    const last = items.at(-1);
    if (item === undefined) continue;
    if (last !== undefined && isSameMessage(last, item)) {
      items[items.length - 1] = joinMessages(last, item);
    } else items.push(item);
  }
  return items;
}

export const isSameMessage = (a: JsonObject, b: JsonObject): boolean =>
  a["type"] === "message" && b["type"] === "message" && a["id"] === b["id"];

export const joinMessages = (a: JsonObject, b: JsonObject): JsonObject => ({
  ...a,
  content: [...asObjects(a["content"]), ...asObjects(b["content"])],
});

type NewId = (prefix: string) => string;

/** A part as an item of its own; `position` is the one it will have among the others. */
export function outputItem(
  part: AssistantPart,
  replyId: string,
  position: number,
): JsonObject | undefined {
  const newId: NewId = (prefix) => newItemId(prefix, replyId, position);
  if (part.type === "text") return messageItem(part, newId);
  if (part.type === "thinking") return reasoningItem(part, newId);
  if (part.type === "tool-call") return writeCall(part, newId);
  if (part.type === "file") return imageItem(part, newId);
  return part.wire === wireId ? part.data : undefined;
}

function imageItem({ source }: FilePart, newId: NewId): JsonObject | undefined {
  if (source.type !== "base64") return undefined;
  const type = "image_generation_call";
  return { id: newId("ig"), type, status: "completed", result: source.data };
}

function messageItem(part: TextPart, newId: NewId): JsonObject {
  const extra = extraOn(wireId, part);
  const content = part.refusal
    ? { type: "refusal", refusal: part.text, ...extra }
    : { type: "output_text", annotations: [], logprobs: [], text: part.text, ...extra };
  return {
    id: newId("msg"),
    type: "message",
    status: part.cut ? "incomplete" : "completed",
    content: [content],
    role: "assistant",
    ...sealedOn(wireId, part),
  };
}

function reasoningItem(part: ThinkingPart, newId: NewId): JsonObject {
  const isFull = part.visibility === "full" && part.text !== "";
  return {
    id: newId("rs"),
    type: "reasoning",
    ...(isFull && { content: [{ type: "reasoning_text", text: part.text }] }),
    summary: isFull || part.text === "" ? [] : [{ type: "summary_text", text: part.text }],
    ...sealedOn(wireId, part),
  };
}

function writeCall(part: ToolCallPart, newId: NewId): JsonObject {
  const item = callItem(part, true);
  const prefix = item["type"] === "function_call" ? "fc" : "ctc";
  return { id: newId(prefix), status: part.cut ? "incomplete" : "completed", ...item };
}
