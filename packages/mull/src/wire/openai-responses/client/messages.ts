import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type {
  AssistantMessage,
  FilePart,
  Message,
  OpaquePart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from "../../../types/message.ts";
import { info, type Note } from "../../../types/plan.ts";
import type { EncodeTarget } from "../../../types/wire.ts";
import { asObjects, without } from "../../common/json-reading.ts";
import { checkFile } from "../../common/check-file.ts";
import { responsesTraits } from "../traits.ts";
import { wireId, someText } from "./parts.ts";
import { urlOf } from "../../common/data-url.ts";
import { extraOn, sealedOn } from "../../common/answer.ts";
import { writeInput } from "../../common/tool-input.ts";

const isSent = (part: { readonly send?: false }): boolean => part.send !== false;

/** Writes a conversation as input items. */
export function inputItems(
  messages: readonly Message[],
  target: EncodeTarget,
  notes: Note[],
): readonly JsonObject[] {
  const items: JsonObject[] = [];
  const freeText = new Set<string>();
  for (const message of messages) {
    switch (message.role) {
      case "system":
        pushContent(items, target.quirks?.systemRole ?? "system", message.parts, target);
        break;
      case "user":
        pushContent(items, "user", message.parts, target);
        break;
      case "assistant":
        pushAnswer(items, message, target, freeText, notes);
        break;
      case "tool":
        pushResults(items, message, target, freeText);
        break;
    }
  }
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    if (item["type"] === "reasoning") items[at] = withoutLoneId(item, items[at + 1]);
  }
  return items;
}

/**
 * The service looks up the item after a reasoning item by id. An item without id (a plain message)
 * is taken only after an item without id.
 */
function withoutLoneId(item: JsonObject, next: JsonObject | undefined): JsonObject {
  if (item["id"] === undefined || next === undefined) return item;
  return next["id"] !== undefined || next["type"] === "function_call" ? item : without(item, "id");
}

function pushContent(
  items: JsonObject[],
  role: string,
  parts: readonly (TextPart | FilePart | OpaquePart)[],
  target: EncodeTarget,
): void {
  let open: JsonObject[] | undefined;
  for (const part of parts) {
    if (!isSent(part) || (part.type === "opaque" && part.wire !== wireId)) continue;
    if (part.type === "opaque" && !part.kind.startsWith("input_")) {
      open = undefined;
      const item = opaqueItem(part, target);
      if (item !== undefined) items.push(item);
      continue;
    }
    const content = part.type === "opaque" ? part.data : inputContent(part, target);
    if (open) open.push(content);
    else items.push({ role, content: (open = [content]) });
  }
}

/** The history holds a change of effort as `{"effort":"low"}`, which the service would refuse as an item. */
function opaqueItem({ kind, data }: OpaquePart, { model }: EncodeTarget): JsonObject | undefined {
  if (kind !== "effort-update") return data;
  if (model.effortUpdates !== true) return undefined;
  return { type: "configuration_update", reasoning: { effort: data["effort"] } };
}

function inputContent(part: TextPart | FilePart, target: EncodeTarget): JsonObject {
  const extra = extraOn(wireId, part);
  return part.type === "text"
    ? { type: "input_text", text: part.text, ...extra }
    : { ...fileContent(part, target), ...extra };
}

function fileContent(part: FilePart, target: EncodeTarget): JsonObject {
  checkFile(part, "messages", responsesTraits, target);
  const { mediaType, source, name } = part;
  const isImage = mediaType.startsWith("image/");
  if (source.type === "id") {
    return { type: isImage ? "input_image" : "input_file", file_id: source.id };
  }
  const url = urlOf(part);
  if (isImage) return { type: "input_image", image_url: url };
  return source.type === "url"
    ? { type: "input_file", file_url: url }
    : { type: "input_file", filename: name ?? "file.pdf", file_data: url };
}

function pushAnswer(
  items: JsonObject[],
  message: AssistantMessage,
  target: EncodeTarget,
  freeText: Set<string>,
  notes: Note[],
): void {
  const from = items.length;
  // Ids of items that follow a thought are refused without that thought.
  let keepsIds = true;
  for (const part of message.parts) {
    if (!isSent(part)) continue;
    switch (part.type) {
      case "text":
        pushText(items, from, part, keepsIds);
        break;
      case "thinking": {
        const item = reasoningItem(part, target);
        if (item !== undefined) items.push(item);
        else if (part.seal !== undefined) keepsIds = false;
        break;
      }
      case "tool-call":
        if (typeof part.input === "string") freeText.add(part.id);
        items.push(callItem(part, keepsIds));
        break;
      case "opaque":
        if (part.wire === wireId) pushOpaque(items, from, part);
        break;
      case "file":
        notes.push(info("file-dropped", `A ${part.mediaType} file the model made was left out.`));
        break;
    }
  }
}

/** Texts of one message become one item again: an id must not appear twice. */
function pushMessage(items: JsonObject[], from: number, item: JsonObject): void {
  const last = items.length > from ? items.at(-1) : undefined;
  if (last?.["role"] !== "assistant" || last["id"] !== item["id"]) {
    items.push(item);
    return;
  }
  const content = [...asObjects(last["content"]), ...asObjects(item["content"])];
  items[items.length - 1] = { ...last, content };
}

const sealedFields = (part: TextPart | ToolCallPart, keepsIds: boolean): JsonObject =>
  keepsIds ? sealedOn(wireId, part) : without(sealedOn(wireId, part), "id");

function pushText(items: JsonObject[], from: number, part: TextPart, keepsIds: boolean): void {
  const content = part.refusal
    ? { type: "refusal", refusal: part.text }
    : { type: "output_text", text: part.text };
  pushMessage(items, from, {
    type: "message",
    role: "assistant",
    ...sealedFields(part, keepsIds),
    content: [{ ...content, ...extraOn(wireId, part) }],
  });
}

function pushOpaque(items: JsonObject[], from: number, part: OpaquePart): void {
  if (part.kind === "message") pushMessage(items, from, part.data);
  else items.push(part.data);
}

/** A thought goes back sealed, or as plain text if the endpoint seals nothing. */
function reasoningItem(part: ThinkingPart, target: EncodeTarget): JsonObject | undefined {
  const data = sealedOn(wireId, part);
  if (someText(data["encrypted_content"]) !== undefined) {
    return { type: "reasoning", summary: [], ...data };
  }
  if (target.model.replay === "sealed" || part.text === "") return undefined;
  const content = data["content"] ?? [{ type: "reasoning_text", text: part.text }];
  return { type: "reasoning", summary: [], ...data, content };
}

/** A call as an item, with the id it was sealed with if that may be told. */
export function callItem(part: ToolCallPart, keepsIds: boolean): JsonObject {
  const { id: call_id, name, input } = part;
  const item =
    typeof input === "string"
      ? { type: "custom_tool_call", call_id, name, input }
      : // The service takes back what its model wrote, broken or not.
        { type: "function_call", call_id, name, arguments: part.invalid?.raw || writeInput(part) };
  return { ...item, ...sealedFields(part, keepsIds), ...extraOn(wireId, part) };
}

function pushResults(
  items: JsonObject[],
  message: ToolMessage,
  target: EncodeTarget,
  freeText: ReadonlySet<string>,
): void {
  for (const part of message.parts) {
    if (!isSent(part)) continue;
    const type = freeText.has(part.callId) ? "custom_tool_call_output" : "function_call_output";
    const output = resultOutput(part, target);
    items.push({ type, call_id: part.callId, output, ...extraOn(wireId, part) });
  }
}

/** Plain text stays a string: compatible servers take nothing else. */
function resultOutput(part: ToolResultPart, target: EncodeTarget): JsonValue {
  const { output } = part;
  if (typeof output === "string") return output;
  const parts = output.filter(isSent);
  return parts.every((each) => each.type === "text")
    ? parts.map((each) => each.text).join("\n")
    : parts.map((each) => inputContent(each, target));
}
