import type { Finish, FinishReason, Reply } from "../../../types/event.ts";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { given, makeReply } from "../../common/answer.ts";
import { readUsage } from "../../common/openai-usage.ts";

/** Everything but the parts of an answer, collected while it is read. */
export interface Envelope {
  id: string;
  model: string;
  /** The service's word; `undefined` until it came. */
  finish: string | undefined;
  note: string | undefined;
  usage: JsonObject | undefined;
  readonly metadata: Map<string, JsonValue>;
}

export const createEnvelope = (): Envelope => ({
  id: "",
  model: "",
  finish: undefined,
  note: undefined,
  usage: undefined,
  metadata: new Map(),
});

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["eos", "stop"],
  ["", "stop"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["tool_use", "tool-calls"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["content_filter", "content-filter"],
  ["sensitive", "content-filter"],
  ["refusal", "refusal"],
  ["error", "error"],
  ["network_error", "error"],
  ["insufficient_system_resource", "error"],
]);

/** Why an answer ended, judged by its parts too: servers say `stop` although they call tools or decline. */
export function readFinish(
  raw: string | undefined,
  parts: readonly AssistantPart[],
  note: string | undefined,
): Finish {
  const known = finishReasons.get(raw ?? "");
  let reason = known ?? "stop";
  if (reason === "stop") {
    if (parts.some((part) => part.type === "tool-call")) reason = "tool-calls";
    else if (parts.some((part) => part.type === "text" && part.refusal)) reason = "refusal";
  }
  const remark = note ?? (known === undefined ? `unknown finish reason "${raw}"` : undefined);
  return given<Finish>({ reason, raw, note: remark });
}

export function replyOf(
  parts: readonly AssistantPart[],
  { id, model, finish, note, usage, metadata }: Envelope,
  context: DecodeContext,
): Reply {
  const showedThinking = parts.some((part) => part.type === "thinking" && part.text !== "");
  const outside = context.quirks?.thinkingOutsideOutput === true;
  const said = {
    finish: readFinish(finish, parts, note),
    usage: usage === undefined ? {} : readUsage(usage, outside, showedThinking),
    id,
    servedModel: model,
    metadata: Object.fromEntries(metadata),
  };
  return makeReply(parts, said, context);
}

const known = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Fields that are read elsewhere, or are noise of the transport; the rest is kept as metadata. */
const modelled: Readonly<Record<"body" | "choice" | "message", ReadonlySet<string>>> = {
  body: known("id object created model choices usage error obfuscation p stream_options base_resp"),
  choice: known("index delta message finish_reason text usage error logprobs seed token_ids"),
  message: known(
    "role content refusal tool_calls function_call reasoning_content reasoning reasoning_text " +
      "reasoning_details thinking_blocks reasoning_opaque extra_content thought_signature images " +
      "name padding token_id channel",
  ),
};

export function keepMetadata(
  kind: keyof typeof modelled,
  object: JsonObject,
  metadata: Map<string, JsonValue>,
): void {
  for (const [name, value] of Object.entries(object)) {
    if (!modelled[kind].has(name) && !isEmpty(value)) metadata.set(name, value as JsonValue);
  }
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);
