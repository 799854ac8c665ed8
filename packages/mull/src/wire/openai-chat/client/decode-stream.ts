import type { MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext, StreamDecoder, HotDelta } from "../../../types/wire.ts";
import { cutReply, protocolError, startEvent } from "../../common/answer.ts";
import { tryParse } from "../../common/json-reading.ts";
import { Assembler, fieldsOf } from "./assemble.ts";
import { firstChoice, readEnvelope, isComplaint } from "./decode.ts";
import { decodeInBandError } from "../../common/openai-errors.ts";
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

/** What a piece of text adds to. */
export type DeltaPlace =
  | { readonly kind: "text" }
  | { readonly kind: "thinking"; readonly field: string }
  | { readonly kind: "input"; readonly call: number };

/** The only new text of a chunk; `undefined` if there is more or less than one. */
export function findDelta(
  chunk: JsonObject,
  fields: readonly string[],
): HotDelta<DeltaPlace> | undefined {
  const { choices, usage, error } = chunk;
  if (!Array.isArray(choices) || choices.length !== 1 || isSaid(usage) || isSaid(error))
    return undefined;
  const choice: unknown = choices[0];
  if (!isJsonObject(choice) || (choice["index"] ?? 0) !== 0) return undefined;
  if (isSaid(choice["finish_reason"]) || isSaid(choice["usage"])) return undefined;
  const { delta } = choice;
  if (!isJsonObject(delta)) return undefined;
  const said = Object.keys(delta).filter((key) => !silent.has(key) && isSaid(delta[key]));
  const key = said[0];
  if (key === undefined || said.length !== 1) return undefined;
  const value = delta[key];
  if (key === "tool_calls") return findInput(value);
  if (typeof value !== "string") return undefined;
  if (key === "content") return { key, text: value, to: { kind: "text" } };
  return fields.includes(key)
    ? { key, text: value, to: { kind: "thinking", field: key } }
    : undefined;
}

const silent: ReadonlySet<string> = new Set(["role", "token_id", "channel"]);

const isSaid = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== "" &&
  !(Array.isArray(value) && value.length === 0);

function findInput(calls: unknown): HotDelta<DeltaPlace> | undefined {
  if (!Array.isArray(calls) || calls.length !== 1) return undefined;
  const call: unknown = calls[0];
  if (!isJsonObject(call) || typeof call["index"] !== "number") return undefined;
  const said = Object.keys(call).filter(
    (key) => key !== "index" && key !== "type" && isSaid(call[key]),
  );
  const body = call["function"];
  if (said.length !== 1 || !isJsonObject(body) || isSaid(body["name"])) return undefined;
  const text = body["arguments"];
  if (typeof text !== "string") return undefined;
  return { key: "arguments", text, to: { kind: "input", call: call["index"] } };
}
