import type { Reply } from "../../../types/event.ts";
import type { ServerSentEvent } from "../../../types/http.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { ServeContext, ServeError, StreamWriter } from "../../../types/wire.ts";
import {
  createStreamWriter,
  piecesOf,
  tellRefusal,
  type Strokes,
} from "../../common/stream-writer.ts";
import { asObjects, asText } from "../../common/json-reading.ts";
import { someText } from "../client/parts.ts";
import { isSameMessage, joinMessages, outputItem } from "./write-items.ts";
import { encodeReply, responseFrame, statusOf } from "./write-reply.ts";

interface TextNames {
  readonly event: string;
  readonly field: string;
  /** Where several texts stand side by side: what numbers them, and the event of each. */
  readonly index?: string;
  readonly part?: string;
  readonly more?: JsonObject;
}

const inContent = { index: "content_index", part: "content_part" } as const;
const outputText: TextNames = {
  event: "output_text",
  field: "text",
  ...inContent,
  more: { logprobs: [] },
};
const summaryText: TextNames = {
  event: "reasoning_summary_text",
  field: "text",
  index: "summary_index",
  part: "reasoning_summary_part",
};
const callArguments: TextNames = { event: "function_call_arguments", field: "arguments" };
const customInput: TextNames = { event: "custom_tool_call_input", field: "input" };

const textNames: ReadonlyMap<string, TextNames> = new Map([
  ["output_text", outputText],
  ["refusal", { event: "refusal", field: "refusal", ...inContent }],
  ["summary_text", summaryText],
  ["reasoning_text", { event: "reasoning_text", field: "text", ...inContent }],
  ["function_call", callArguments],
  ["custom_tool_call", customInput],
]);

const typeOf = (value: JsonObject): string => asText(value["type"]);

/** The text that the deltas of a part write before the whole part is known, by type of item. */
const firstTexts: ReadonlyMap<string, readonly [TextNames, JsonObject]> = new Map([
  ["reasoning", [summaryText, { type: "summary_text", text: "" }]],
  ["function_call", [callArguments, {}]],
  ["custom_tool_call", [customInput, {}]],
]);
const messageText = [
  outputText,
  { type: "output_text", annotations: [], logprobs: [], text: "" },
] as const;

interface OpenItem {
  item: JsonObject;
  readonly at: { readonly item_id: string; readonly output_index: number };
  /** How many texts of it have ended, by what numbers them. */
  readonly ended: Map<string, number>;
  /** A text of it has begun. */
  isOpen: boolean;
}

/** Writes a streamed answer: every event in order, numbered. */
export const openStream = (context: ServeContext): StreamWriter =>
  createStreamWriter(new ResponseStrokes(context), context);

class ResponseStrokes implements Strokes<OpenItem> {
  readonly #context: ServeContext;
  readonly #items: OpenItem[] = [];
  #served: ServeContext;
  #events = 0;

  constructor(context: ServeContext) {
    this.#context = this.#served = context;
  }

  start({ id = this.#context.id, model = this.#context.model }): readonly ServerSentEvent[] {
    this.#served = { ...this.#context, id, model };
    const response = responseFrame(this.#served);
    return ["created", "in_progress"].map((step) => this.#emit(`response.${step}`, { response }));
  }

  open(part: AssistantPart, out: ServerSentEvent[]): OpenItem | undefined {
    const items = this.#items;
    const item = outputItem(part, this.#served.id, items.length);
    if (item === undefined) return undefined;
    const last = items.at(-1);
    if (last !== undefined && isSameMessage(last.item, item)) return last;
    out.push(...this.#endMessage());
    const output_index = items.length;
    out.push(this.#emit("response.output_item.added", { output_index, item: openItem(item) }));
    const at = { item_id: asText(item["id"]), output_index };
    const open: OpenItem = { item: emptied(item), at, ended: new Map(), isOpen: false };
    items.push(open);
    return open;
  }

  delta(open: OpenItem, text: string): readonly ServerSentEvent[] {
    const [names, blank] = firstTexts.get(typeOf(open.item)) ?? messageText;
    return [
      ...(open.isOpen ? [] : this.#beginText(open, blank, names)),
      this.#deltaOf(open, names, text),
    ];
  }

  whole(open: OpenItem, part: AssistantPart): readonly ServerSentEvent[] {
    return textsOf(this.#itemOf(open, part)).flatMap((text) => this.#wholeText(open, text));
  }

  close(open: OpenItem, part: AssistantPart): readonly ServerSentEvent[] {
    const item = this.#itemOf(open, open.isOpen ? asStreamed(part) : part);
    const [names] = firstTexts.get(typeOf(item)) ?? messageText;
    const [text = {}] =
      part.type === "thinking" ? [{ type: "summary_text", text: part.text }] : textsOf(item);
    const ended = open.isOpen ? this.#endText(open, text, names) : [];
    open.item = item["type"] === "message" ? joinMessages(open.item, item) : item;
    const mayGrow = item["type"] === "message" && this.#items.at(-1) === open;
    return mayGrow ? ended : [...ended, this.#endItem(open)];
  }

  finish(said: Reply): readonly ServerSentEvent[] {
    const reply = tellRefusal(said, this.#context.reply === undefined);
    const ended = this.#endMessage();
    const status = statusOf(reply);
    const { id, model } = this.#served;
    const output = this.#items.map(({ item }) => item);
    const response = { ...encodeReply(reply, this.#served), id, model, output };
    return [
      ...ended,
      this.#emit(`response.${status === "cancelled" ? "failed" : status}`, { response }),
    ];
  }

  fail({ message, type, param, code }: ServeError): readonly ServerSentEvent[] {
    const error = { code: code ?? type, message };
    const response = { ...responseFrame(this.#served), status: "failed", error };
    return [
      this.#emit("error", { error: { type, code: code ?? null, message, param: param ?? null } }),
      this.#emit("response.failed", { response }),
    ];
  }

  #emit(type: string, fields: JsonObject): ServerSentEvent {
    const data = JSON.stringify({ type, sequence_number: this.#events++, ...fields });
    return { event: type, data };
  }

  #deltaOf(open: OpenItem, names: TextNames, delta: string): ServerSentEvent {
    const fields = { delta, ...placeOf(open, names), ...names.more };
    return this.#emit(`response.${names.event}.delta`, fields);
  }

  #beginText(open: OpenItem, text: JsonObject, names: TextNames): readonly ServerSentEvent[] {
    open.isOpen = true;
    if (names.part === undefined) return [];
    const part = { ...text, [names.field]: "" };
    return [this.#emit(`response.${names.part}.added`, { part, ...placeOf(open, names) })];
  }

  #endText(open: OpenItem, text: JsonObject, names: TextNames): readonly ServerSentEvent[] {
    const { event, field, part, more } = names;
    const place = placeOf(open, names);
    open.isOpen = false;
    countText(open, names);
    const added = "response.output_text.annotation.added";
    return [
      ...asObjects(text["annotations"]).map((annotation, annotation_index) =>
        this.#emit(added, { annotation_index, annotation, ...place }),
      ),
      this.#emit(`response.${event}.done`, { [field]: asText(text[field]), ...place, ...more }),
      ...(part === undefined
        ? []
        : [this.#emit(`response.${part}.done`, { part: text, ...place })]),
    ];
  }

  #wholeText(open: OpenItem, text: JsonObject): readonly ServerSentEvent[] {
    const names = textNames.get(typeOf(text));
    if (names === undefined) {
      const place = placeOf(open, inContent);
      countText(open, inContent);
      return ["added", "done"].map((step) =>
        this.#emit(`response.content_part.${step}`, { part: text, ...place }),
      );
    }
    return [
      ...this.#beginText(open, text, names),
      ...piecesOf(asText(text[names.field]), this.#context).map((piece) =>
        this.#deltaOf(open, names, piece),
      ),
      ...this.#endText(open, text, names),
    ];
  }

  /** Messages end when something else begins: another text may still belong to them. */
  #endMessage(): readonly ServerSentEvent[] {
    const last = this.#items.at(-1);
    return last?.item["type"] === "message" && !last.isOpen ? [this.#endItem(last)] : [];
  }

  #endItem({ item, at }: OpenItem): ServerSentEvent {
    return this.#emit("response.output_item.done", { output_index: at.output_index, item });
  }

  /** The item of a part that has begun, under the id it began with. */
  #itemOf({ at, item }: OpenItem, part: AssistantPart): JsonObject {
    return {
      ...outputItem(part, this.#served.id, at.output_index),
      ...("id" in item && { id: at.item_id }),
    };
  }
}

type Numbered = Pick<TextNames, "index">;

const placeOf = ({ at, ended }: OpenItem, { index }: Numbered): JsonObject =>
  index === undefined ? at : { [index]: ended.get(index) ?? 0, ...at };

const countText = ({ ended }: OpenItem, { index = "" }: Numbered): Map<string, number> =>
  ended.set(index, (ended.get(index) ?? 0) + 1);

/** The texts that an item brings in deltas. A call is its own. */
function textsOf(item: JsonObject): readonly JsonObject[] {
  switch (typeOf(item)) {
    case "reasoning":
      return [...asObjects(item["summary"]), ...asObjects(item["content"])];
    case "message":
      return asObjects(item["content"]);
    case "function_call":
    case "custom_tool_call":
      return [item];
    default:
      return [];
  }
}

/** Thoughts are streamed as a summary, and a refusal shows only at its end. */
function asStreamed(part: AssistantPart): AssistantPart {
  if (part.type === "thinking") return { ...part, visibility: "summary" };
  if (part.type !== "text") return part;
  const { refusal: _, ...text } = part;
  return text;
}

const emptied = (item: JsonObject): JsonObject =>
  item["type"] === "message" ? { ...item, content: [] } : item;

/** An item as it is announced: without its text, and with only the first half of its seal, as at the service. */
function openItem(item: JsonObject): JsonObject {
  const sealed = someText(item["encrypted_content"]);
  switch (typeOf(item)) {
    case "reasoning": {
      const { content: _, ...rest } = item;
      const cut =
        sealed === undefined ? {} : { encrypted_content: sealed.slice(0, sealed.length >> 1) };
      return { ...rest, summary: [], ...cut };
    }
    case "message":
      return { ...item, status: "in_progress", content: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    case "custom_tool_call":
      return { ...item, status: "in_progress", input: "" };
    default:
      return item;
  }
}
