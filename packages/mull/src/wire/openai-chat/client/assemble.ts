import type { StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { makeSeal } from "../../common/answer.ts";
import { fileAt } from "../../common/data-url.ts";
import { asList, asObject } from "../../common/json-reading.ts";
import { Blocks, type Fail } from "./blocks.ts";
import { CallList } from "./calls.ts";
import type { DeltaPlace } from "./decode-stream.ts";
import { wire } from "./message-parts.ts";
import { detailsText } from "./reasoning-details.ts";
import { createTagSplitter, type TagPair, type TagSplitter } from "./think-tags.ts";

/** The fields that may hold thinking. The first non-empty one wins: some servers send the same text twice. */
export const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text"] as const;
/** What must go back together with the text. */
const sideFields = ["reasoning_details", "thinking_blocks", "reasoning_opaque"] as const;

/** The thinking fields to look at: the vendor's own first, then all known ones. */
export const fieldsOf = ({ quirks }: DecodeContext): readonly string[] => [
  ...new Set([...(quirks?.thinkingFields ?? []), ...thinkingFields]),
];

/** Builds the parts of one message out of deltas, or out of the whole message as one delta. */
export class Assembler {
  readonly #context: DecodeContext;
  readonly #fields: readonly string[];
  readonly #blocks: Blocks;
  readonly #calls: CallList;
  readonly #splitter: TagSplitter | undefined;
  /** Seals for the whole message. The part they belong to is known only at the end. */
  #messageSeal: JsonObject | undefined;

  constructor(context: DecodeContext, isStream: boolean, fail: Fail) {
    const { thinkTags: tags = [], impliedOpenTag } = context.quirks ?? {};
    this.#context = context;
    this.#fields = fieldsOf(context);
    this.#blocks = new Blocks(context, isStream, fail);
    this.#calls = new CallList(this.#blocks, context, isStream, fail);
    this.#splitter = tags.length > 0 ? createTagSplitter(tags, impliedOpenTag) : undefined;
  }

  /** Events of what follows go here. */
  into(out: StreamEvent[]): void {
    this.#blocks.into(out);
  }

  read(message: JsonObject): void {
    this.#readThinking(message);
    const { content, refusal, images, tool_calls, function_call } = message;
    if (typeof content === "string") this.text(content);
    else for (const chunk of asList(content)) this.#readChunk(chunk);
    if (typeof refusal === "string") this.#blocks.text(refusal, true);
    for (const image of asList(images).map(readImage))
      if (image !== undefined) this.#blocks.add(image);
    for (const call of asList(tool_calls)) this.#calls.read(call);
    if (isJsonObject(function_call)) this.#calls.read({ index: 0, function: function_call });
    const { extra_content, thought_signature } = message;
    if (isJsonObject(extra_content)) this.#messageSeal = { ...this.#messageSeal, extra_content };
    if (isText(thought_signature)) this.#messageSeal = { ...this.#messageSeal, thought_signature };
  }

  text(delta: string): void {
    if (this.#splitter === undefined) this.#blocks.text(delta, false);
    else this.#splitter.push(delta, this.#tagged);
  }

  /** One more piece of a text, a thought or a call. */
  append(to: DeltaPlace, delta: string): void {
    if (to.kind === "text") this.text(delta);
    else if (to.kind === "thinking") this.#blocks.thinking(delta, to.field);
    else this.#calls.continue(to.call, delta);
  }

  close(): readonly AssistantPart[] {
    this.#splitter?.flush(this.#tagged);
    this.#placeMessageSeal();
    this.#blocks.closeOpen();
    this.#calls.close();
    return this.#blocks.parts() as AssistantPart[];
  }

  partial(): readonly AssistantPart[] {
    const snapshot = this.#blocks.snapshot();
    this.#calls.cutInto(snapshot);
    return snapshot.filter((part) => part !== undefined);
  }

  readonly #tagged = (kind: "thinking" | "text", piece: string, pair: TagPair): void => {
    if (kind === "text") return this.#blocks.text(piece, false);
    this.#blocks.thinking(piece, "content");
    this.#blocks.tag(pair);
  };

  #readThinking(message: JsonObject): void {
    const blocks = this.#blocks;
    const field = this.#fields.find((name) => isText(message[name]));
    if (field !== undefined) blocks.thinking(message[field] as string, field);
    for (const name of sideFields) {
      const value = message[name];
      if (field === undefined && Array.isArray(value)) {
        // Details repeat the text of the plain field. Where that is missing, they are the text.
        const open = blocks.openField() || name;
        if (open === name) blocks.thinking(detailsText(value), name);
      }
      blocks.side(name, value);
    }
  }

  #readChunk(chunk: JsonValue): void {
    if (!isJsonObject(chunk)) return;
    const { type, text, refusal, thinking } = chunk;
    if (type === "thinking") {
      const words = typeof thinking === "string" ? thinking : detailsText(asList(thinking));
      this.#blocks.thinking(words, "content");
      this.#blocks.side("signature", chunk["signature"]);
    } else if (typeof text === "string" && (type === "text" || type === "output_text"))
      this.text(text);
    else if (type === "refusal" && typeof refusal === "string") this.#blocks.text(refusal, true);
    else {
      const kind = typeof type === "string" ? type : "unknown";
      this.#blocks.add({ type: "opaque", wire, kind, data: chunk });
    }
  }

  #placeMessageSeal(): void {
    if (this.#messageSeal === undefined) return;
    const data = { message: this.#messageSeal };
    if (this.#calls.sealFirst(data) || this.#blocks.sealOpenText(data)) return;
    const seal = makeSeal(data, this.#context);
    this.#blocks.add({ type: "thinking", text: "", visibility: "hidden", seal });
  }
}

const isText = (value: JsonValue | undefined): boolean => typeof value === "string" && value !== "";

function readImage(value: JsonValue): AssistantPart | undefined {
  const { url } = asObject(asObject(value)["image_url"]);
  return typeof url === "string" ? { type: "file", ...fileAt(url, "image/*") } : undefined;
}
