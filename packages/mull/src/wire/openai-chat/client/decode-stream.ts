import type { MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext, StreamDecoder } from "../../../types/wire.ts";
import { cutReply, protocolError, startEvent } from "../../common/answer.ts";
import { tryParse } from "../../common/json-reading.ts";
import { Assembler, fieldsOf } from "./assemble.ts";
import { firstChoice, readEnvelope } from "./decode.ts";
import { isComplaint } from "./is-complaint.ts";
import { decodeInBandError } from "../../common/openai-errors.ts";
import { findDelta } from "./find-delta.ts";
import { createEnvelope, keepMetadata, replyOf } from "./parts.ts";

/**
 * Reads `chat.completion.chunk` frames. The stream is complete with `[DONE]`, or, as many servers
 * leave that out, when the body ends after a finish reason.
 */
export function decodeStream(context: DecodeContext): StreamDecoder {
  const { provider } = context.origin;
  const fields = fieldsOf(context);
  const hot = context.hotReader?.((chunk) => findDelta(chunk, fields));
  const envelope = createEnvelope();
  /** A choice came: until then the stream holds no answer. */
  let hasStarted = false;
  let isDone = false;

  const assembler = new Assembler(context, true, (code, message) =>
    broken(code, `chat.completion.chunk: ${message}`),
  );

  const partial = (): Reply => cutReply(replyOf(assembler.partial(), envelope, context));

  const broken = (code: string, message: string): MullError =>
    protocolError(message, code, context, partial());

  const complete = (out: StreamEvent[]): void => {
    isDone = true;
    const reply = replyOf(assembler.close(), envelope, context);
    out.push({ type: "finish", reply });
  };

  const complain = (chunk: JsonObject): void => {
    const error = decodeInBandError(chunk, provider, partial());
    // Gateways report the end of the token limit twice: the answer is whole without it.
    if (!envelope.finish) throw error;
    envelope.note = error.message;
  };

  const read = (data: string, event: string | undefined, out: StreamEvent[]): void => {
    const chunk = tryParse(data);
    if (!isJsonObject(chunk)) {
      if (event === "error") return complain({ error: data });
      throw broken(
        "invalid_json",
        `${event ?? "chat.completion.chunk"}: the event is not a JSON object`,
      );
    }
    const choice = firstChoice(chunk);
    if (isComplaint(chunk)) complain(chunk);
    else if (event === "error") complain({ error: chunk });
    if (choice !== undefined && isComplaint(choice)) complain(choice);
    readEnvelope(chunk, choice, envelope);
    if (choice === undefined) return;
    if (!hasStarted) out.push(startEvent(envelope.id, envelope.model));
    hasStarted = true;
    const delta = choice["delta"] ?? choice["message"];
    if (!isJsonObject(delta)) return;
    assembler.read(delta);
    keepMetadata("message", delta, envelope.metadata);
    hot?.learn(data, chunk);
  };

  return {
    push: (data, event, out) => {
      if (isDone) return;
      assembler.into(out);
      const known = hot?.read(data);
      if (known !== undefined) return assembler.append(known.to, known.text);
      if (data.trim() !== "[DONE]") return read(data, event, out);
      if (!hasStarted) throw broken("empty_response", "the stream ended without an answer");
      // A server that fell over while the model thought: not an answer that happens to be empty.
      if (!envelope.finish && assembler.partial().every(isThought)) {
        throw broken("truncated", "[DONE] came before an answer and before a finish reason");
      }
      complete(out);
    },
    end: (out) => {
      if (isDone) return;
      assembler.into(out);
      if (envelope.finish) return complete(out);
      if (!hasStarted) throw broken("empty_response", "the body ended without an answer");
      throw broken("truncated", "the body ended before the answer was finished");
    },
    finished: () => isDone,
    partial,
  };
}

const isThought = ({ type }: AssistantPart): boolean => type === "thinking";
