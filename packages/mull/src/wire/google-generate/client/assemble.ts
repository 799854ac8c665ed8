import type { Finish, Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { cutReply, makeReply, protocolError, startEvent } from "../../common/answer.ts";
import { asObject, asObjects } from "../../common/json-reading.ts";
import type { ValueTexts } from "../../common/value-texts.ts";
import { errorInBody } from "./error.ts";
import { finishWord, readBlock, readFinish } from "./finish.ts";
import { PartBuilder } from "./part-builder.ts";
import { isTooDeep } from "./json-reading.ts";
import { hasCounts, readUsage } from "./usage.ts";

const notMetadata: ReadonlySet<string> = new Set(
  (
    "candidates usageMetadata modelVersion responseId content " +
    "finishReason finishMessage index thoughts"
  ).split(" "),
);

/** Builds one reply out of response objects, whole or in pieces. */
export class Assembler {
  readonly #context: DecodeContext;
  readonly #builder: PartBuilder;
  readonly #metadata = new Map<string, JsonValue>();
  readonly #alternatives: JsonObject[] = [];
  #started = false;
  #id: string | undefined;
  #servedModel: string | undefined;
  #usage: JsonObject | undefined;
  #finishRaw: string | undefined;
  #finishMessage: string | undefined;
  #blocked: Finish | undefined;

  constructor(context: DecodeContext, stamped: boolean) {
    this.#context = context;
    this.#builder = new PartBuilder(context, stamped, (code, what) =>
      protocolError(`generateContent: ${what}`, code, context, this.partial()),
    );
  }

  /** Adds one response object; throws the service's error if it holds one. */
  add(chunk: JsonObject, out: StreamEvent[], texts?: ValueTexts): void {
    if (chunk["error"] !== undefined)
      throw errorInBody(chunk, this.#context.origin.provider, this.partial());
    this.#start(chunk, out);
    for (const candidate of asObjects(chunk["candidates"])) {
      if ((candidate["index"] ?? 0) === 0) this.#addCandidate(candidate, out, texts);
      else if (!isTooDeep(candidate)) this.#alternatives.push(candidate);
    }
    this.#keepMetadata(chunk);
    if (isJsonObject(chunk["usageMetadata"])) this.setUsage(chunk["usageMetadata"]);
    this.#blocked ??= readBlock(chunk["promptFeedback"]);
  }

  addText(kind: "text" | "thinking", delta: string, out: StreamEvent[]): void {
    this.#builder.addText(kind, delta, out);
  }

  setUsage(raw: JsonObject): void {
    if (!isTooDeep(raw)) this.#usage = hasCounts(raw) ? raw : { ...this.#usage, ...raw };
  }

  /** A finish reason came, or the prompt was refused. */
  isTerminal(): boolean {
    return this.#finishRaw !== undefined || this.#blocked !== undefined;
  }

  finish(out: StreamEvent[]): Reply {
    this.#builder.close(out);
    return this.#reply([...this.#builder.finished()]);
  }

  partial(): Reply {
    return cutReply(this.#reply([...this.#builder.finished(), ...this.#builder.cut()]));
  }

  #keepMetadata(object: JsonObject): void {
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (notMetadata.has(key) || value === undefined || isTooDeep(value)) continue;
      this.#metadata.set(key, value);
    }
  }

  #start({ responseId, modelVersion }: JsonObject, out: StreamEvent[]): void {
    if (typeof responseId === "string") this.#id ??= responseId;
    if (typeof modelVersion === "string")
      this.#servedModel ??= modelVersion.replace(/^models\//, "");
    if (!this.#started) out.push(startEvent(this.#id, this.#servedModel));
    this.#started = true;
  }

  #addCandidate(candidate: JsonObject, out: StreamEvent[], texts?: ValueTexts): void {
    const content = asObject(candidate["content"]);
    const parts = asObjects(content["parts"]);
    const thoughts = content["thoughts"] ?? candidate["thoughts"];
    if (typeof thoughts === "string" && !parts.some((part) => part["thought"] === true)) {
      this.#builder.add({ text: thoughts, thought: true }, out);
    }
    for (const part of parts) this.#builder.add(part, out, texts);
    this.#keepMetadata(candidate);
    this.#finishRaw =
      finishWord(candidate["finishReason"] ?? content["finishReason"]) ?? this.#finishRaw;
    const message = candidate["finishMessage"];
    if (typeof message === "string") this.#finishMessage = message;
  }

  #reply(parts: readonly AssistantPart[]): Reply {
    const usage = readUsage(this.#usage);
    if (this.#alternatives.length > 0) this.#metadata.set("alternatives", this.#alternatives);
    const facts = {
      raw: this.#finishRaw,
      message: this.#finishMessage,
      hasCall: parts.some((part) => part.type === "tool-call"),
      hasText: parts.some((part) => part.type === "text" && part.text !== ""),
      usage,
    };
    const blocked = this.#finishRaw === undefined ? this.#blocked : undefined;
    const said = {
      finish: blocked ?? readFinish(facts),
      usage,
      id: this.#id,
      servedModel: this.#servedModel,
      metadata: Object.fromEntries(this.#metadata),
    };
    return makeReply(parts, said, this.#context);
  }
}
