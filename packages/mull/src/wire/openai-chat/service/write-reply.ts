import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type {
  AssistantPart,
  FilePart,
  ThinkingPart,
  ToolCallPart,
} from "../../../types/message.ts";
import { writeInput } from "../../common/tool-input.ts";

type Pieces = (text: string) => readonly string[];

/** How a part of thinking goes over the wire: its field, and what stands beside it. */
interface Form {
  readonly field: string;
  readonly tags: readonly JsonValue[] | undefined;
  readonly signature: JsonValue | undefined;
  readonly sides: JsonObject;
}

function formOf(part: ThinkingPart): Form {
  const { field, tags, signature, message: _beside, ...sides } = part.seal?.data ?? {};
  return {
    field: typeof field === "string" ? field : "reasoning_content",
    tags: Array.isArray(tags) ? tags : undefined,
    signature,
    sides,
  };
}

/** The deltas of one answer, part after part. */
export function replyDeltas(
  parts: readonly AssistantPart[],
  pieces: Pieces,
): readonly JsonObject[] {
  let calls = 0;
  const deltas = parts.flatMap((part): readonly JsonObject[] => {
    switch (part.type) {
      case "text": {
        const key = part.refusal ? "refusal" : "content";
        return pieces(part.text).map((piece) => ({ [key]: piece }));
      }
      case "thinking":
        return thinkingDeltas(part, pieces);
      case "tool-call":
        return callDeltas(part, calls++, pieces);
      case "file":
        return [{ images: [image(part)] }];
      case "opaque":
      default:
        return [{ content: [part.data] }];
    }
  });
  const beside = besideMessage(parts);
  return beside === undefined ? deltas : [...deltas, beside];
}

function thinkingDeltas(part: ThinkingPart, pieces: Pieces): readonly JsonObject[] {
  const { field, tags, signature, sides } = formOf(part);
  const extra = Object.entries(sides).map(([name, value]): JsonObject => ({ [name]: value }));
  if (tags !== undefined)
    return pieces(inTags(part.text, tags)).map((piece) => ({ content: piece }));
  if (field === "content") {
    return pieces(part.text).map((piece, index, all) => ({
      content: [chunk(piece, index === all.length - 1, signature)],
    }));
  }
  if (field in sides || besideOf(part) !== undefined) return extra;
  return [...pieces(part.text).map((piece): JsonObject => ({ [field]: piece })), ...extra];
}

const inTags = (text: string, tags: readonly JsonValue[]): string =>
  `${tagText(tags[0])}\n${text}\n${tagText(tags[1])}\n\n`;

const tagText = (tag: JsonValue | undefined): string => (typeof tag === "string" ? tag : "");

const chunk = (text: string, isLast: boolean, signature: JsonValue | undefined): JsonObject => ({
  type: "thinking",
  thinking: [{ type: "text", text }],
  ...(isLast && { closed: true, ...(signature !== undefined && { signature }) }),
});

function callDeltas(part: ToolCallPart, index: number, pieces: Pieces): readonly JsonObject[] {
  const { body, key, text } = callBody(part);
  const start = { index, ...callHead(part), [key]: { ...body, [callKeys[key]]: "" } };
  return [
    { tool_calls: [start] },
    ...pieces(text).map((piece) => ({
      tool_calls: [
        { index, ...(key === "custom" && { type: "custom" }), [key]: { [callKeys[key]]: piece } },
      ],
    })),
  ];
}

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
  const { message: _beside, ...seal } = part.seal?.data ?? {};
  const type = typeof part.input === "string" ? "custom" : "function";
  return { id: part.localId ? "" : part.id, type, ...seal, ...part.extra?.fields };
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
    if (part.type === "opaque") chunks.push(part.data);
    else if (part.type === "file") images.push(image(part));
    else if (part.type === "tool-call") {
      const { key, body, text: input } = callBody(part);
      calls.push({ ...callHead(part), [key]: { ...body, [callKeys[key]]: input } });
    } else if (part.type === "text" && part.refusal) refusal = (refusal ?? "") + part.text;
    else if (part.type === "text") {
      text += part.text;
      chunks.push({ type: "text", text: part.text });
    } else {
      const { field, tags, signature, sides } = formOf(part);
      if (tags !== undefined) text += inTags(part.text, tags);
      else if (field === "content") chunks.push(chunk(part.text, true, signature));
      else if (!(field in sides) && besideOf(part) === undefined) {
        thinking.set(field, (thinking.get(field) ?? "") + part.text);
      }
      for (const [name, value] of Object.entries(sides)) beside.set(name, value);
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

const besideOf = (part: AssistantPart): JsonObject | undefined => {
  const beside = part.seal?.data["message"];
  return isJsonObject(beside) ? beside : undefined;
};

const besideMessage = (parts: readonly AssistantPart[]): JsonObject | undefined =>
  parts.map(besideOf).find((beside) => beside !== undefined);

const image = ({ source, mediaType }: FilePart): JsonObject => {
  const url =
    source.type === "base64"
      ? `data:${mediaType};base64,${source.data}`
      : source.type === "url"
        ? source.url
        : source.id;
  return { type: "image_url", image_url: { url } };
};
