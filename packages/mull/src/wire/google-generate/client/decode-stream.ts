import type { MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { DecodeContext, HotDelta, StreamDecoder } from "../../../types/wire.ts";
import { protocolError } from "../../common/answer.ts";
import { tryParse } from "../../common/json-reading.ts";
import { valueTexts } from "../../common/value-texts.ts";
import { Assembler } from "./assemble.ts";

/** The text of a frame that has one plain part and nothing else that happens once. */
function findDelta(chunk: JsonObject): HotDelta<"text" | "thinking"> | undefined {
  const candidate = onlyItem(chunk["candidates"], ["content", "index"]);
  const content = candidate?.["content"];
  if (!isJsonObject(content) || !hasOnly(content, ["parts", "role"])) return undefined;
  const part = onlyItem(content["parts"], ["text", "thought"]);
  const text = part?.["text"];
  if ((candidate?.["index"] ?? 0) !== 0 || typeof text !== "string") return undefined;
  return { key: "text", text, to: part?.["thought"] === true ? "thinking" : "text" };
}

const onlyItem = (list: unknown, keys: readonly string[]): JsonObject | undefined => {
  const item: unknown = Array.isArray(list) && list.length === 1 ? list[0] : undefined;
  return isJsonObject(item) && hasOnly(item, keys) ? item : undefined;
};

const hasOnly = (object: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(object).every((key) => keys.includes(key));

/**
 * Steps through a streamed answer, whatever its framing: each frame is one JSON value.
 */
export function decodeStream(context: DecodeContext): StreamDecoder {
  const assembler = new Assembler(context, true);
  const hot = context.hotReader?.(findDelta, "usageMetadata");
  /** Usage of the last frame that was not parsed: read only when it is needed. */
  let usage: readonly [frame: string, from: number, to: number] | undefined;
  let frames = 0;
  let characters = 0;
  /** The last frame with a finish reason. */
  let lastWord: string | undefined;
  let done: Reply | undefined;

  const takeUsage = (): void => {
    if (usage === undefined) return;
    const [frame, from, to] = usage;
    const raw = tryParse(frame.slice(from, to));
    usage = undefined;
    if (isJsonObject(raw)) assembler.setUsage(raw);
  };

  const push = (data: string, _event: string | undefined, out: StreamEvent[]): void => {
    frames++;
    characters += data.length;
    const known = hot?.read(data);
    if (known !== undefined) {
      assembler.addText(known.to, known.text, out);
      usage = [data, known.keptFrom, known.keptTo];
      return;
    }
    // The last frame, sent twice. A different frame continues the answer.
    if (data === lastWord || data.trim() === "[DONE]") return;
    const value = tryParse(data);
    if (value === undefined) {
      const place = `frame ${frames}, after character ${characters - data.length} of the data,`;
      throw broken(`${place} is not valid JSON`, "invalid_json");
    }
    takeUsage();
    const texts = data.includes('"functionCall"') ? valueTexts(data, "args") : undefined;
    for (const chunk of Array.isArray(value) ? value : [value]) {
      if (isJsonObject(chunk)) assembler.add(chunk, out, texts);
    }
    if (data.includes('"finishReason"')) lastWord = data;
    hot?.learn(data, isJsonObject(value) ? value : {});
  };

  const broken = (what: string, code: string): MullError =>
    protocolError(`streamGenerateContent: ${what}`, code, context, partial());

  const partial = (): Reply => {
    takeUsage();
    return done ?? assembler.partial();
  };

  return {
    push,
    // With code execution `finishReason: "STOP"` comes several times, with more of the answer after
    // it. Only the end of the body ends the answer.
    end: (out) => {
      if (done !== undefined) return;
      takeUsage();
      if (!assembler.isTerminal())
        throw broken("the stream ended without a finish reason", "truncated");
      done = assembler.finish(out);
      out.push({ type: "finish", reply: done });
    },
    finished: () => done !== undefined,
    partial,
  };
}
