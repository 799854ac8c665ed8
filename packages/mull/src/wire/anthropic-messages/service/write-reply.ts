import type { FinishReason, Reply } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { ServeContext } from "../../../types/wire.ts";
import { speaks } from "../../common/stream-writer.ts";
import { without } from "../../common/json-reading.ts";
import { extraOn } from "../../common/answer.ts";
import { modelled, wire } from "../client/parts.ts";

/** Every other reason is `end_turn`. */
const stopReasons: Readonly<Partial<Record<FinishReason, string>>> = {
  "tool-calls": "tool_use",
  length: "max_tokens",
  "content-filter": "refusal",
  refusal: "refusal",
  pause: "pause_turn",
};

/** The stop reason in the service's words, if the answer does not name it. */
export const stopReasonOf = (reply: Reply): string =>
  (speaks(reply, wire) ? reply.finish.raw : undefined) ??
  stopReasons[reply.finish.reason] ??
  "end_turn";

export const metadataOf = (reply: Reply): JsonObject =>
  speaks(reply, wire) ? without(reply.metadata ?? {}, ...modelled) : {};

export const encodeReply = (reply: Reply, context: ServeContext): JsonObject => ({
  id: reply.id ?? context.id,
  ...envelopeOf(reply.servedModel ?? context.model),
  content: reply.message.parts.map(writeAnswerBlock).filter((block) => block !== undefined),
  stop_reason: stopReasonOf(reply),
  stop_sequence: null,
  stop_details: null,
  ...metadataOf(reply),
  usage: wholeUsageOf(reply, context),
});

export const envelopeOf = (model: string): JsonObject => ({
  type: "message",
  role: "assistant",
  model,
});

export const usageOf = ({ usage }: Pick<Reply, "usage">): JsonObject => ({
  input_tokens: usage.input ?? 0,
  cache_creation_input_tokens: usage.cacheWrite ?? 0,
  cache_read_input_tokens: usage.cacheRead ?? 0,
  output_tokens: (usage.output ?? 0) + (usage.thinking ?? 0),
  output_tokens_details: usage.thinking === undefined ? null : { thinking_tokens: usage.thinking },
  server_tool_use: usage.raw?.["server_tool_use"] ?? null,
});

/** The same, how long the cache is kept, and how the request was served. */
export const wholeUsageOf = (
  { usage }: Pick<Reply, "usage">,
  { request }: ServeContext,
): JsonObject => ({
  cache_creation: usage.raw?.["cache_creation"] ?? {
    ephemeral_5m_input_tokens: (usage.cacheWrite ?? 0) - (usage.cacheWriteHour ?? 0),
    ephemeral_1h_input_tokens: usage.cacheWriteHour ?? 0,
  },
  service_tier: "standard",
  inference_geo: request?.extra?.["inference_geo"] ?? "global",
  speed: request?.extra?.["speed"] ?? "standard",
  ...usageOf({ usage }),
});

/** Writes a part as the service would, with every field filled; nothing for parts of other wires. */
export function writeAnswerBlock(part: AssistantPart): JsonObject | undefined {
  const block = blockOf(part);
  return block && { ...block, ...extraOn(wire, part) };
}

function blockOf(part: AssistantPart): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "thinking": {
      const { redacted, signature = "" } = part.seal?.data ?? {};
      return redacted === undefined
        ? { type: "thinking", thinking: part.text, signature }
        : { type: "redacted_thinking", data: redacted };
    }
    case "tool-call":
      return { type: "tool_use", id: part.id, name: part.name, input: part.input };
    case "opaque":
      return part.wire === wire ? part.data : undefined;
    case "file":
    default:
      return undefined;
  }
}
