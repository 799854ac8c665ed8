import type { Reply } from "../../../types/event.ts";
import type { ServerSentEvent } from "../../../types/http.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { ServeContext } from "../../../types/wire.ts";
import {
  envelopeOf,
  inputUsageOf,
  metadataOf,
  outputUsageOf,
  servedAsOf,
  stopReasonOf,
  writeAnswerBlock,
} from "./write-reply.ts";
import { asText } from "../client/parts.ts";
import { inputTextOf } from "../../common/tool-input.ts";

type Pieces = ServeContext["pieces"];

export const serverEvent = (type: string, fields: JsonObject = {}): ServerSentEvent => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

/** The events of a whole answer, in the service's order. */
export function encodeStream(reply: Reply, context: ServeContext): readonly ServerSentEvent[] {
  const {
    stop_sequence = null,
    stop_details = null,
    container = null,
    ...early
  } = metadataOf(reply);
  const { context_management, ...first } = early;
  const blocks = reply.message.parts.flatMap((part) =>
    writeAnswerBlock(part).map((block) => ({ part, block })),
  );
  const events: ServerSentEvent[] = [
    serverEvent("message_start", {
      message: {
        ...envelopeOf(reply, context),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        stop_details: null,
        container: null,
        diagnostics: null,
        ...first,
        usage: {
          ...inputUsageOf(reply),
          ...servedAsOf(reply, context),
          output_tokens: 1,
          output_tokens_details: null,
          server_tool_use: null,
        },
      },
    }),
  ];
  blocks.forEach(({ part, block }, index) => {
    const { start, deltas } = cutBlock(part, block, context.pieces);
    events.push(serverEvent("content_block_start", { index, content_block: start }));
    if (index === 0) events.push(serverEvent("ping"));
    for (const delta of deltas) events.push(serverEvent("content_block_delta", { index, delta }));
    events.push(serverEvent("content_block_stop", { index }));
  });
  events.push(
    serverEvent("message_delta", {
      delta: {
        stop_reason: stopReasonOf(reply),
        stop_sequence,
        stop_details,
        container,
      },
      usage: { ...inputUsageOf(reply), ...outputUsageOf(reply) },
      ...(context_management !== undefined && { context_management }),
    }),
    serverEvent("message_stop"),
  );
  return events;
}

interface CutBlock {
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
}

/** How a block begins, and the deltas that bring the rest. */
function cutBlock(part: AssistantPart, block: JsonObject, pieces: Pieces): CutBlock {
  switch (asText(block["type"])) {
    case "text":
      return cutText(block, pieces);
    case "thinking":
      return cutThinking(block, pieces);
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return cutInput(part, block, pieces);
    default:
      return { start: block, deltas: [] };
  }
}

function cutText(block: JsonObject, pieces: Pieces): CutBlock {
  const citations = block["citations"];
  const cited = Array.isArray(citations) ? citations : [];
  return {
    start: { ...block, text: "", ...(cited.length > 0 && { citations: [] }) },
    deltas: [
      ...pieces(asText(block["text"])).map((text) => ({ type: "text_delta", text })),
      ...cited.map((citation) => ({ type: "citations_delta", citation })),
    ],
  };
}

function cutThinking(block: JsonObject, pieces: Pieces): CutBlock {
  const signature = asText(block["signature"]);
  return {
    start: { ...block, thinking: "", signature: "" },
    deltas: [
      ...pieces(asText(block["thinking"])).map((thinking) => ({
        type: "thinking_delta",
        thinking,
      })),
      ...(signature === "" ? [] : [{ type: "signature_delta", signature }]),
    ],
  };
}

function cutInput(part: AssistantPart, block: JsonObject, pieces: Pieces): CutBlock {
  const raw = part.type === "tool-call" ? (part.invalid?.raw ?? inputTextOf(part)) : undefined;
  const { input } = block;
  const json =
    raw ?? (isJsonObject(input) && Object.keys(input).length === 0 ? "" : JSON.stringify(input));
  return {
    start: { ...block, input: {} },
    deltas: ["", ...pieces(json)].map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    })),
  };
}
