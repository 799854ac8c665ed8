import type { Reply } from "../../../types/event.ts";
import type { ServerSentEvent } from "../../../types/http.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { ServeContext, ServeError, StreamWriter } from "../../../types/wire.ts";
import {
  createStreamWriter,
  piecesOf,
  streamedText,
  type Strokes,
} from "../../common/stream-writer.ts";
import { asText } from "../../common/json-reading.ts";
import {
  envelopeOf,
  metadataOf,
  stopReasonOf,
  usageOf,
  wholeUsageOf,
  writeAnswerBlock,
} from "./write-reply.ts";

const serverEvent = (type: string, fields: JsonObject = {}): ServerSentEvent => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

interface OpenBlock {
  readonly index: number;
  readonly type: string;
  readonly growth: Growth;
  /** A delta as JSON, up to its text: the same for every delta of the block. */
  readonly beforeText: string;
}

/** Empty fields of a block that has just begun, the type of its deltas and the field they carry. */
type Growth = readonly [empty: JsonObject, delta: string, field: string];
const unchanging: Growth = [{}, "", ""];
const inputGrowth: Growth = [{ input: {} }, "input_json_delta", "partial_json"];
const growing: ReadonlyMap<string, Growth> = new Map<string, Growth>([
  ["text", [{ text: "" }, "text_delta", "text"]],
  ["thinking", [{ thinking: "", signature: "" }, "thinking_delta", "thinking"]],
  ["tool_use", inputGrowth],
  ["server_tool_use", inputGrowth],
  ["mcp_tool_use", inputGrowth],
]);

export function openStream(
  context: ServeContext,
  errorFields: (error: ServeError) => JsonObject,
): StreamWriter {
  const early = earlyMetadata(context.reply);
  let blocks = 0;

  const deltaOf = ({ index }: OpenBlock, delta: JsonObject): ServerSentEvent =>
    serverEvent("content_block_delta", { index, delta });

  const strokes: Strokes<OpenBlock> = {
    start: ({ id = context.id, model = context.model }) => [
      serverEvent("message_start", {
        message: {
          id,
          ...envelopeOf(model),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          stop_details: null,
          ...early,
          usage: {
            ...wholeUsageOf(context.reply ?? { usage: {} }, context),
            output_tokens: 1,
            output_tokens_details: null,
            server_tool_use: null,
          },
        },
      }),
    ],
    open: (part, out) => {
      const block = writeAnswerBlock(part);
      if (block === undefined) return undefined;
      const type = asText(block["type"]);
      const growth = growing.get(type) ?? unchanging;
      const [empty, delta, field] = growth;
      const index = blocks++;
      const beforeText = `{"type":"content_block_delta","index":${index},"delta":{"type":"${delta}","${field}":`;
      const open: OpenBlock = { index, type, growth, beforeText };
      const content_block = {
        ...block,
        ...empty,
        ...(citationsOf(block).length > 0 && { citations: [] }),
      };
      out.push(serverEvent("content_block_start", { index: open.index, content_block }));
      if (open.index === 0) out.push(serverEvent("ping"));
      if (growth === inputGrowth) out.push(...strokes.delta(open, ""));
      return open;
    },
    delta: ({ beforeText }, text) => [
      { event: "content_block_delta", data: `${beforeText}${JSON.stringify(text)}}}` },
    ],
    // A call without arguments brings none.
    whole: (open, part) => {
      if (open.growth !== inputGrowth) return undefined;
      const json = part.type === "opaque" ? JSON.stringify(part.data["input"]) : streamedText(part);
      return piecesOf(json === "{}" ? "" : json, context).flatMap((piece) =>
        strokes.delta(open, piece),
      );
    },
    close: (open, part) => {
      const block = { ...writeAnswerBlock(part) };
      const signature = open.type === "thinking" ? asText(block["signature"]) : "";
      return [
        ...citationsOf(block).map((citation) =>
          deltaOf(open, { type: "citations_delta", citation }),
        ),
        ...(signature === "" ? [] : [deltaOf(open, { type: "signature_delta", signature })]),
        serverEvent("content_block_stop", { index: open.index }),
      ];
    },
    heartbeat: () => [serverEvent("ping")],
    finish: (reply) => [
      serverEvent("message_delta", farewell(reply, early)),
      serverEvent("message_stop"),
    ],
    fail: (error) => [serverEvent("error", errorFields(error))],
  };
  return createStreamWriter(strokes, context);
}

const citationsOf = ({ type, citations }: JsonObject): readonly JsonObject[] =>
  type === "text" && Array.isArray(citations) ? (citations as readonly JsonObject[]) : [];

/** The metadata for the first event. The four fields left out here come with the last events. */
function earlyMetadata(reply: Reply | undefined): JsonObject {
  const {
    stop_sequence: _sequence,
    stop_details: _details,
    container: _container,
    context_management: _management,
    ...early
  } = reply === undefined ? {} : metadataOf(reply);
  return early;
}

function farewell(reply: Reply, early: JsonObject): JsonObject {
  const { context_management, ...metadata } = metadataOf(reply);
  const late = Object.entries(metadata).filter(([name]) => !(name in early));
  return {
    delta: {
      stop_reason: stopReasonOf(reply),
      stop_sequence: null,
      stop_details: null,
      container: null,
      ...Object.fromEntries(late),
    },
    usage: usageOf(reply),
    ...(context_management !== undefined && { context_management }),
  };
}
