import type { StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { makeSeal } from "../../common/answer.ts";
import { fileAt } from "../../common/data-url.ts";
import { asObject } from "../../common/json-reading.ts";
import { createBlocks, type Blocks, type Fail } from "./blocks.ts";
import { createCallList, type CallList } from "./calls.ts";
import { wire } from "./message-parts.ts";
import { detailsText } from "./reasoning-details.ts";
import { createTagSplitter, type TagPair } from "./think-tags.ts";

/** Builds the parts of one message out of deltas, or out of the whole message as one delta. */
export interface Assembler {
  /** Events of what follows go here. */
  readonly into: (out: StreamEvent[]) => void;
  readonly read: (message: JsonObject) => void;
  readonly text: (delta: string) => void;
  readonly thinking: Blocks["thinking"];
  readonly toolInput: CallList["continue"];
  readonly close: () => readonly AssistantPart[];
  readonly partial: () => readonly AssistantPart[];
}

/** The fields that may hold thinking. The first non-empty one wins: some servers send the same text twice. */
export const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text"] as const;
/** What must go back beside the text. */
const sideFields = ["reasoning_details", "thinking_blocks", "reasoning_opaque"] as const;

/** The thinking fields to look at: the vendor's own first, then all known ones. */
export const fieldsOf = ({ quirks }: DecodeContext): readonly string[] => [
  ...new Set([...(quirks?.thinkingFields ?? []), ...thinkingFields]),
];

export function createAssembler(context: DecodeContext, isStream: boolean, fail: Fail): Assembler {
  const { quirks } = context;
  const fields = fieldsOf(context);
  const blocks = createBlocks(context, isStream, fail);
  const calls = createCallList(blocks, context, isStream, fail);
  const tags = quirks?.thinkTags ?? [];
  const splitter = tags.length > 0 ? createTagSplitter(tags, quirks?.impliedOpenTag) : undefined;
  /** Seals given for the whole message; they belong to a part that is known only at the end. */
  let messageSeal: JsonObject | undefined;

  const tagged = (kind: "thinking" | "text", piece: string, pair: TagPair): void => {
    if (kind === "text") return blocks.text(piece, false);
    blocks.thinking(piece, "content");
    blocks.tag(pair);
  };

  const text = (delta: string): void => {
    if (splitter === undefined) blocks.text(delta, false);
    else splitter.push(delta, tagged);
  };

  const readThinking = (message: JsonObject): void => {
    const field = fields.find((name) => isText(message[name]));
    if (field !== undefined) blocks.thinking(message[field] as string, field);
    for (const name of sideFields) {
      const value = message[name];
      if (field === undefined && Array.isArray(value)) {
        // Details repeat the text of the plain field; alone they are the text.
        const open = blocks.openField() || name;
        if (open === name) blocks.thinking(detailsText(value), name);
      }
      blocks.side(name, value);
    }
  };

  const readChunk = (chunk: JsonValue): void => {
    if (!isJsonObject(chunk)) return;
    const { type, text: words, refusal, thinking } = chunk;
    if (type === "thinking") {
      blocks.thinking(
        typeof thinking === "string" ? thinking : detailsText(listOf(thinking)),
        "content",
      );
      blocks.side("signature", chunk["signature"]);
    } else if (typeof words === "string" && (type === "text" || type === "output_text"))
      text(words);
    else if (type === "refusal" && typeof refusal === "string") blocks.text(refusal, true);
    else {
      const kind = typeof type === "string" ? type : "unknown";
      blocks.add({ type: "opaque", wire, kind, data: chunk });
    }
  };

  const read = (message: JsonObject): void => {
    readThinking(message);
    const {
      content,
      refusal,
      images,
      tool_calls,
      function_call,
      extra_content,
      thought_signature,
    } = message;
    if (typeof content === "string") text(content);
    else listOf(content).forEach(readChunk);
    if (typeof refusal === "string") blocks.text(refusal, true);
    for (const image of listOf(images).map(readImage)) if (image !== undefined) blocks.add(image);
    listOf(tool_calls).forEach(calls.read);
    if (isJsonObject(function_call)) calls.read({ index: 0, function: function_call });
    if (isJsonObject(extra_content)) messageSeal = { ...messageSeal, extra_content };
    if (isText(thought_signature)) messageSeal = { ...messageSeal, thought_signature };
  };

  const placeMessageSeal = (): void => {
    if (messageSeal === undefined) return;
    const data = { message: messageSeal };
    if (calls.sealFirst(data) || blocks.sealOpenText(data)) return;
    blocks.add({ type: "thinking", text: "", visibility: "hidden", seal: makeSeal(data, context) });
  };

  return {
    into: blocks.into,
    read,
    text,
    thinking: blocks.thinking,
    toolInput: calls.continue,
    close: () => {
      splitter?.flush(tagged);
      placeMessageSeal();
      blocks.closeOpen();
      calls.close();
      return blocks.parts() as AssistantPart[];
    },
    partial: () => {
      const snapshot = blocks.snapshot();
      calls.cutInto(snapshot);
      return snapshot.filter((part) => part !== undefined);
    },
  };
}

const isText = (value: JsonValue | undefined): boolean => typeof value === "string" && value !== "";

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];

function readImage(value: JsonValue): AssistantPart | undefined {
  const { url } = asObject(asObject(value)["image_url"]);
  return typeof url === "string" ? { type: "file", ...fileAt(url, "image/*") } : undefined;
}
