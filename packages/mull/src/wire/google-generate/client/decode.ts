import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject } from "../../../types/json.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { protocolError } from "../../common/answer.ts";
import { valueTexts } from "../../common/value-texts.ts";
import { Assembler } from "./assemble.ts";

/** Reads a whole answer: one response object, or the array of a stream that was not asked for as SSE. */
export function decode(body: unknown, context: DecodeContext): Reply {
  const assembler = new Assembler(context, false);
  const chunks = (Array.isArray(body) ? body : [body]).filter(isJsonObject);
  const unread: StreamEvent[] = [];
  const texts = context.text === undefined ? undefined : valueTexts(context.text, "args");
  for (const chunk of chunks) assembler.add(chunk, unread, texts);
  if (chunks.every((chunk) => !("candidates" in chunk)) && !assembler.isTerminal()) {
    const message = "generateContent: the answer holds no candidates";
    throw protocolError(message, "empty_response", context);
  }
  return assembler.finish(unread);
}
