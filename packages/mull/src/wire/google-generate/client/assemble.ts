import type { Finish, Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { cutReply, makeReply, protocolError, startEvent } from "../../common/answer.ts";
import type { ValueTexts } from "../../common/value-texts.ts";
import { errorInBody } from "./error.ts";
import { finishWord, readBlock, readFinish } from "./finish.ts";
import { createPartBuilder, type PartBuilder } from "./part-builder.ts";
import { isTooDeep } from "./json-reading.ts";
import { hasCounts, readUsage } from "./usage.ts";

/** Builds one reply out of response objects, whole or in pieces. */
export interface Assembler {
  /** Adds one response object; throws the service's error where it holds one. */
  readonly add: (chunk: JsonObject, out: StreamEvent[], texts?: ValueTexts) => void;
  readonly addText: PartBuilder["addText"];
  readonly setUsage: (raw: JsonObject) => void;
  /** A finish reason came, or the prompt was refused. */
  readonly isTerminal: () => boolean;
  readonly finish: (out: StreamEvent[]) => Reply;
  readonly partial: () => Reply;
}

const notMetadata: ReadonlySet<string> = new Set([
  "candidates",
  "usageMetadata",
  "modelVersion",
  "responseId",
  "content",
  "finishReason",
  "finishMessage",
  "index",
  "thoughts",
]);

export function createAssembler(context: DecodeContext, stamped: boolean): Assembler {
  const builder = createPartBuilder(context, stamped, (code, what) =>
    protocolError(`generateContent: ${what}`, code, context, partial()),
  );
  const metadata = new Map<string, JsonValue>();
  const alternatives: JsonObject[] = [];
  let started = false;
  let id: string | undefined;
  let servedModel: string | undefined;
  let usage: JsonObject | undefined;
  let finishRaw: string | undefined;
  let finishMessage: string | undefined;
  let blocked: Finish | undefined;

  const keepMetadata = (object: JsonObject): void => {
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (notMetadata.has(key) || value === undefined || isTooDeep(value)) continue;
      metadata.set(key, value);
    }
  };

  const start = (chunk: JsonObject, out: StreamEvent[]): void => {
    const { responseId, modelVersion } = chunk;
    if (typeof responseId === "string") id ??= responseId;
    if (typeof modelVersion === "string") servedModel ??= modelVersion.replace(/^models\//, "");
    if (started) return;
    started = true;
    out.push(startEvent(id, servedModel));
  };

  const addCandidate = (candidate: JsonObject, out: StreamEvent[], texts?: ValueTexts): void => {
    const content = isJsonObject(candidate["content"]) ? candidate["content"] : {};
    const parts = Array.isArray(content["parts"]) ? content["parts"].filter(isJsonObject) : [];
    const thoughts = content["thoughts"] ?? candidate["thoughts"];
    if (typeof thoughts === "string" && !parts.some((part) => part["thought"] === true)) {
      builder.add({ text: thoughts, thought: true }, out);
    }
    for (const part of parts) builder.add(part, out, texts);
    keepMetadata(candidate);
    finishRaw = finishWord(candidate["finishReason"] ?? content["finishReason"]) ?? finishRaw;
    const message = candidate["finishMessage"];
    if (typeof message === "string") finishMessage = message;
  };

  const setUsage = (raw: JsonObject): void => {
    if (!isTooDeep(raw)) usage = hasCounts(raw) ? raw : { ...usage, ...raw };
  };

  const add = (chunk: JsonObject, out: StreamEvent[], texts?: ValueTexts): void => {
    if (chunk["error"] !== undefined) throw errorInBody(chunk, context.origin.provider, partial());
    start(chunk, out);
    const candidates = Array.isArray(chunk["candidates"]) ? chunk["candidates"] : [];
    for (const candidate of candidates.filter(isJsonObject)) {
      if ((candidate["index"] ?? 0) === 0) addCandidate(candidate, out, texts);
      else if (!isTooDeep(candidate)) alternatives.push(candidate);
    }
    keepMetadata(chunk);
    if (isJsonObject(chunk["usageMetadata"])) setUsage(chunk["usageMetadata"]);
    blocked ??= readBlock(chunk["promptFeedback"]);
  };

  const reply = (parts: readonly AssistantPart[]): Reply => {
    const counts = readUsage(usage);
    if (alternatives.length > 0) metadata.set("alternatives", alternatives);
    const finish =
      finishRaw === undefined && blocked !== undefined
        ? blocked
        : readFinish({
            raw: finishRaw,
            message: finishMessage,
            hasCall: parts.some((part) => part.type === "tool-call"),
            hasText: parts.some((part) => part.type === "text" && part.text !== ""),
            usage: counts,
          });
    const said = { finish, usage: counts, id, servedModel, metadata: Object.fromEntries(metadata) };
    return makeReply(parts, said, context);
  };

  const partial = (): Reply => cutReply(reply([...builder.finished, ...builder.cut()]));

  return {
    add,
    addText: builder.addText,
    setUsage,
    partial,
    isTerminal: () => finishRaw !== undefined || blocked !== undefined,
    finish: (out) => {
      builder.close(out);
      return reply([...builder.finished]);
    },
  };
}
