import type { Reply } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { ServeContext } from "../../../types/wire.ts";
import { speaks, tellRefusal } from "../../common/stream-writer.ts";
import { encode } from "../client/encode.ts";
import { wireId } from "../client/parts.ts";
import { outputItems } from "./write-items.ts";

const statuses: ReadonlySet<unknown> = new Set(["completed", "incomplete", "failed", "cancelled"]);
const incompleteReasons = new Map([
  ["length", "max_output_tokens"],
  ["content-filter", "content_filter"],
  ["pause", "steered"],
]);

/** What the service repeats of a request, in the spelling of the request. */
function echoOf(request: WireRequest | undefined): JsonObject {
  if (request === undefined) return {};
  const { body } = encode(
    { ...request, messages: [] },
    { model: { ...neutralModel, id: request.model } },
  );
  const { input: _input, stream: _stream, include: _include, model: _model, ...echoed } = body;
  return echoed;
}

/** Takes every setting, so that nothing of the request is left out of the echo. */
const neutralModel = {
  id: "",
  provider: "openai",
  wire: "openai-responses",
  thinking: { kind: "switch", off: "omit" },
  shows: "summary",
  sampling: "free",
  toolChoice: "free",
  replay: "sealed",
  status: "current",
} as const;

/** The response object before any output. */
export function responseFrame(context: ServeContext): JsonObject {
  const echoed = echoOf(context.request);
  return {
    id: context.id,
    object: "response",
    created_at: context.created,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: null,
    safety_identifier: null,
    service_tier: "default",
    store: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: "disabled",
    usage: null,
    user: null,
    metadata: {},
    ...echoed,
    text: { format: { type: "text" }, verbosity: "medium", ...asEcho(echoed["text"]) },
    model: context.model,
    reasoning: context.reply?.echo ?? {
      effort: null,
      summary: null,
      ...asEcho(echoed["reasoning"]),
    },
  };
}

const asEcho = (value: unknown): object =>
  typeof value === "object" && value !== null ? value : {};

/** The whole response object, as a plain answer and the closing event have it. */
export function encodeReply(said: Reply, context: ServeContext): JsonObject {
  const reply = tellRefusal(said, false);
  const status = statusOf(reply);
  const { reason, note } = reply.finish;
  const id = reply.id ?? context.id;
  return {
    ...responseFrame({ ...context, id, model: reply.servedModel ?? context.model, reply }),
    status,
    ...(status === "failed" && {
      error: { code: "server_error", message: note ?? "The model failed." },
    }),
    incomplete_details:
      status === "incomplete"
        ? {
            reason:
              (speaks(reply, wireId) ? note : undefined) ??
              incompleteReasons.get(reason) ??
              "max_output_tokens",
          }
        : null,
    output: outputItems(reply.message.parts, id),
    usage: usageFields(reply),
    ...(speaks(reply, wireId) && reply.metadata),
  };
}

export function statusOf({ finish: { raw, reason } }: Reply): string {
  if (raw !== undefined && statuses.has(raw)) return raw;
  if (incompleteReasons.has(reason)) return "incomplete";
  return reason === "error" ? "failed" : "completed";
}

function usageFields(reply: Reply): JsonObject | null {
  const { usage } = reply;
  if (usage.raw !== undefined && speaks(reply, wireId)) return usage.raw;
  const { input, cacheRead = 0, cacheWrite = 0, output, thinking = 0 } = usage;
  if (input === undefined && output === undefined) return null;
  const allInput = (input ?? 0) + cacheRead + cacheWrite;
  const allOutput = (output ?? 0) + thinking;
  return {
    input_tokens: allInput,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: allOutput,
    output_tokens_details: { reasoning_tokens: thinking },
    total_tokens: allInput + allOutput,
  };
}
