import { MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject } from "../../../types/json.ts";
import type { DecodeContext, StreamDecoder } from "../../../types/wire.ts";
import { valueTexts } from "../../common/value-texts.ts";
import { createAssembler } from "./assemble.ts";
import { type FrameTemplate, learnTemplate, readByTemplate } from "./template.ts";

/** Steps through a streamed answer, whatever its framing: each frame is one JSON value. */
export const decodeStream = (context: DecodeContext): StreamDecoder =>
  createStreamDecoder(context, true);

/** `fast` off parses every frame; the events are the same. */
export function createStreamDecoder(context: DecodeContext, fast: boolean): StreamDecoder {
  const assembler = createAssembler(context, true);
  let textTemplate: FrameTemplate | undefined;
  let thinkingTemplate: FrameTemplate | undefined;
  let last: FrameTemplate | undefined;
  // Usage of the last frame read by template: parsed only when somebody needs it.
  let usageFrame: string | undefined;
  let usageFrom = 0;
  let usageTo = 0;
  let frames = 0;
  let characters = 0;
  /** The last frame with a finish reason. */
  let lastWord: string | undefined;
  let done: Reply | undefined;

  const takeUsage = (): void => {
    if (usageFrame === undefined) return;
    const raw = tryParse(usageFrame.slice(usageFrom, usageTo));
    usageFrame = undefined;
    if (isJsonObject(raw)) assembler.setUsage(raw);
  };

  const pushFast = (data: string, template: FrameTemplate, out: StreamEvent[]): boolean => {
    const reading = readByTemplate(data, template);
    if (reading === undefined) return false;
    assembler.addText(template.kind, reading.delta, out);
    ({ usageFrom, usageTo } = reading);
    usageFrame = data;
    last = template;
    return true;
  };

  const learn = (template: FrameTemplate | undefined): void => {
    // Another suffix, or anything else of note in the frame, makes what was learnt before stale.
    if (last?.suffix !== template?.suffix) textTemplate = thinkingTemplate = undefined;
    if (template?.kind === "text") textTemplate = template;
    if (template?.kind === "thinking") thinkingTemplate = template;
    last = template;
  };

  const push = (data: string, _event: string | undefined, out: StreamEvent[]): void => {
    frames++;
    characters += data.length;
    if (last !== undefined && pushFast(data, last, out)) return;
    const other = last === textTemplate ? thinkingTemplate : textTemplate;
    if (other !== undefined && pushFast(data, other, out)) return;
    // A last frame that came twice; another one goes on with the answer.
    if (data === lastWord || data.trim() === "[DONE]") return;
    const value = parseFrame(data);
    takeUsage();
    const texts = data.includes('"functionCall"') ? valueTexts(data, "args") : undefined;
    for (const chunk of Array.isArray(value) ? value : [value]) {
      if (isJsonObject(chunk)) assembler.add(chunk, out, texts);
    }
    if (data.includes('"finishReason"')) lastWord = data;
    const isPlain = fast && isJsonObject(value);
    learn(isPlain ? learnTemplate(data, value) : undefined);
  };

  /** The engine's own message would quote the frame. */
  const parseFrame = (data: string): unknown => {
    try {
      return JSON.parse(data);
    } catch {
      const place = `frame ${frames}, behind character ${characters - data.length} of the data,`;
      throw new MullError(`streamGenerateContent: ${place} is not valid JSON`, {
        category: "protocol",
        code: "invalid_json",
        provider: context.origin.provider,
        partial: partial(),
      });
    }
  };

  const partial = (): Reply => {
    takeUsage();
    return done ?? assembler.partial();
  };

  return {
    push,
    // With code execution `finishReason: "STOP"` comes several times, and more of the answer behind
    // it: only the end of the body ends it.
    end: (out) => {
      if (done !== undefined) return;
      takeUsage();
      if (assembler.isTerminal()) {
        done = assembler.finish(out);
        out.push({ type: "finish", reply: done });
        return;
      }
      throw new MullError("streamGenerateContent: the stream ended without a finish reason", {
        category: "protocol",
        code: "truncated",
        provider: context.origin.provider,
        partial: partial(),
      });
    },
    finished: () => done !== undefined,
    partial,
  };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
