import { info } from "../../../types/plan.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type {
  AssistantMessage,
  AssistantPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
} from "../../../types/message.ts";
import { isChunk, isFields, isSent, textBlock, wire, type RunOfText } from "./message-parts.ts";
import { replayableDetails } from "./reasoning-details.ts";
import { asText, without } from "../../common/json-reading.ts";
import { extraOn, sealedOn } from "../../common/answer.ts";
import { writeInput } from "../../common/tool-input.ts";

interface AssistantDraft {
  /** Thinking that goes back between its tags, in front of the text. */
  inline: string;
  /** Thinking that goes back as a block of the content, by its part. */
  chunks: Map<AssistantPart, JsonObject> | undefined;
  /** Thinking by the field it came in, and what came with it. */
  thoughts: JsonObject | undefined;
  said: string;
  /** A string says it all; else the content is blocks. */
  isPlain: boolean;
  refusal: string | undefined;
  calls: JsonObject[] | undefined;
  /** Seals that came next to the message, and its own fields. */
  seals: JsonObject | undefined;
  fields: JsonObject | undefined;
}

/** Writes an answer as a message; `undefined` if nothing of it may be sent. */
export function encodeAssistant(
  { parts }: AssistantMessage,
  run: RunOfText,
): JsonObject | undefined {
  const draft: AssistantDraft = {
    inline: "",
    chunks: undefined,
    thoughts: undefined,
    said: "",
    isPlain: true,
    refusal: undefined,
    calls: undefined,
    seals: undefined,
    fields: undefined,
  };
  for (const part of parts) if (isSent(part)) addPart(draft, part, run);
  const { inline, chunks, thoughts, refusal, calls } = draft;
  const content = draft.isPlain ? inline + draft.said : blocksOf(parts, chunks, run);
  const isThoughtless = !(inline || chunks || thoughts);
  if (isThoughtless && content.length === 0 && refusal === undefined && !calls) return undefined;
  const isNull = content.length === 0 && (calls || refusal !== undefined);
  return {
    role: "assistant",
    content: isNull ? null : content,
    ...(refusal !== undefined && { refusal }),
    ...(isThoughtless && (calls || run.target.model.replay === "required")
      ? run.emptyThought
      : thoughts),
    ...(calls && { tool_calls: calls }),
    ...draft.seals,
    ...draft.fields,
  };
}

/** OpenAI has a field for refusals; for compatible servers a refusal is text. */
const isRefusal = ({ refusal }: TextPart, { target }: RunOfText): boolean =>
  refusal === true && target.quirks === undefined;

function addPart(draft: AssistantDraft, part: AssistantPart, run: RunOfText): void {
  const { message: beside } = sealedOn(wire, part);
  if (isJsonObject(beside)) draft.seals ??= beside;
  switch (part.type) {
    case "text":
      if (isRefusal(part, run)) draft.refusal = (draft.refusal ?? "") + part.text;
      else if (part.text !== "") {
        draft.said += part.text;
        if (extraOn(wire, part)) draft.isPlain = false;
      }
      break;
    case "thinking":
      if (isReadable(part, run)) addThought(draft, part, run);
      break;
    case "tool-call": {
      const call = encodeCall(part);
      // Most answers have one call, and `[].push` would reserve room for seventeen.
      if (draft.calls) draft.calls.push(call);
      else draft.calls = [call];
      break;
    }
    case "opaque":
      if (isFields(part)) draft.fields ??= part.data;
      else if (isChunk(part)) draft.isPlain = false;
      break;
    case "file":
    default:
      run.notes.push(info("file-dropped", "files a model made are not sent back on this API"));
  }
}

/** Only what this wire sealed, or plain thinking if the server takes plain thinking. */
const isReadable = ({ seal, text }: ThinkingPart, { target }: RunOfText): boolean =>
  seal === undefined ? target.model.replay !== "sealed" && text !== "" : seal.origin.wire === wire;

/** Sends a thought under the field it came in: `reasoning_content`, `reasoning`, tags or a content block. */
function addThought(draft: AssistantDraft, part: ThinkingPart, run: RunOfText): void {
  const { text, seal } = part;
  const { field, message: _beside, tags, signature, ...sides } = seal?.data ?? {};
  // Uses one string object for equal names: V8 has to look up each copy before it can be a key.
  const name = typeof field === "string" && field !== run.thinkingField ? field : run.thinkingField;
  if (name !== "content") {
    if (text !== "" && !(name in sides))
      draft.thoughts = { ...draft.thoughts, [name]: asText(draft.thoughts?.[name]) + text };
  } else if (Array.isArray(tags)) draft.inline += inTags(text, tags);
  else {
    (draft.chunks ??= new Map()).set(part, thinkingChunk(text, signature));
    draft.isPlain = false;
  }
  addSides(draft, sides, run.seenDetails);
}

const inTags = (text: string, tags: readonly JsonValue[]): string =>
  text === "" ? "" : `${asText(tags[0])}\n${text}\n${asText(tags[1])}\n\n`;

/** One closed chunk: Mistral refuses several. */
const thinkingChunk = (text: string, signature: JsonValue | undefined): JsonObject => ({
  type: "thinking",
  thinking: [{ type: "text", text }],
  closed: true,
  ...(signature !== undefined && { signature }),
});

function addSides(draft: AssistantDraft, sides: JsonObject, seen: Set<string>): void {
  for (const [name, side] of Object.entries(sides)) {
    const known = draft.thoughts?.[name];
    const news: JsonValue | undefined = Array.isArray(side) ? replayableDetails(side, seen) : side;
    const all = Array.isArray(known) && Array.isArray(news) ? [...known, ...news] : news;
    draft.thoughts = { ...draft.thoughts, [name]: all };
  }
}

const blocksOf = (
  parts: readonly AssistantPart[],
  chunks: AssistantDraft["chunks"],
  run: RunOfText,
): readonly JsonObject[] =>
  parts.flatMap((part): JsonObject | readonly JsonObject[] => {
    if (!isSent(part)) return [];
    if (part.type === "text")
      return part.text === "" || isRefusal(part, run) ? [] : textBlock(part);
    return (part.type === "opaque" && isChunk(part) ? part.data : chunks?.get(part)) ?? [];
  });

function encodeCall(part: ToolCallPart): JsonObject {
  const { id, name, input } = part;
  const own = { ...without(sealedOn(wire, part), "message"), ...extraOn(wire, part) };
  if (typeof input === "string") return { id, type: "custom", custom: { name, input }, ...own };
  // Broken ones go back as `{}`: vLLM, llama.cpp and others parse them and fail.
  return { id, type: "function", function: { name, arguments: writeInput(part) }, ...own };
}
