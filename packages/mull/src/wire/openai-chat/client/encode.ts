import type { JsonObject, MutableJsonObject } from "../../../types/json.ts";
import { warning, type Note } from "../../../types/plan.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { ToolSpec } from "../../../types/tool.ts";
import type { Encoded, EncodeTarget } from "../../../types/wire.ts";
import { withItems } from "../../common/list-items.ts";
import { isStrict } from "../../common/schema-problems.ts";
import { schemaInWords, withWords } from "../../common/schema-in-words.ts";
import { writeTools } from "../../common/write-tools.ts";
import { wire } from "./message-parts.ts";
import { encodeMessages } from "./messages.ts";
import { encodeThinking, refusesStop } from "./thinking.ts";

/** Writes `POST /chat/completions`. */
export function encode(request: WireRequest, target: EncodeTarget): Encoded {
  const { quirks } = target;
  const notes: Note[] = [];
  const tools = writeTools(request.tools, wire, notes, encodeTool(quirks?.omitStrict));
  const thinking = encodeThinking(request.thinking, request.show, tools.length > 0, target);
  notes.push(...thinking.notes);
  const messages = encodeMessages(request.messages, systemOf(request, target), target, notes);
  const cap = quirks?.capField ?? "max_completion_tokens";
  // Spread, not assigned: a key `__proto__` in `extra` stays data.
  const body: JsonObject = {
    model: request.model,
    messages,
    ...(request.maxOutputTokens !== undefined && { [cap]: request.maxOutputTokens }),
    ...thinking.fields,
    ...encodeSampling(request, thinking.isOff, target, notes),
    ...(tools.length > 0 && { tools, ...encodeToolChoice(request) }),
    ...encodeOutput(request, target, notes),
    ...encodeHints(request, target),
    ...(request.stream && { stream: true }),
    ...(request.stream && !quirks?.omitStreamUsage && { stream_options: { include_usage: true } }),
    ...(quirks?.body as JsonObject | undefined),
    ...request.extra,
  };
  return { path: "/chat/completions", headers: {}, body, notes };
}

/** JSON alone is promised to those who say "JSON" in their prompt. */
const systemOf = (
  { system, output }: WireRequest,
  { quirks }: EncodeTarget,
): WireRequest["system"] =>
  output !== undefined && quirks?.jsonObjectOnly === true
    ? withWords(system, schemaInWords(output))
    : system;

const encodeTool =
  (omitStrict: boolean | undefined) =>
  ({ name, description, inputSchema, strict }: ToolSpec): JsonObject => ({
    type: "function",
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: withItems({ ...inputSchema, properties: inputSchema["properties"] ?? {} }),
      ...(strict !== undefined && !omitStrict && { strict }),
    },
  });

function encodeToolChoice({ toolChoice, parallelToolCalls }: WireRequest): JsonObject {
  const choice =
    typeof toolChoice === "object"
      ? { type: "function", function: { name: toolChoice.tool } }
      : toolChoice;
  return {
    ...(choice !== undefined && { tool_choice: choice }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  };
}

/** OpenAI refuses a fifth; its imitators have limits of their own. */
const mostStops = 4;

/** Reasoning models refuse sampling parameters, some only while they think. */
function encodeSampling(
  { temperature, topP, topK, stopSequences }: WireRequest,
  isOff: boolean,
  { model, quirks }: EncodeTarget,
  notes: Note[],
): JsonObject {
  const limit = model.sampling;
  const isTaken = limit === "free" || limit === "limited" || (limit === "only-off" && isOff);
  const isOpenai = quirks?.knob === undefined;
  const isStopTaken = !isOpenai || !refusesStop(model.id);
  const stops = isOpenai ? stopSequences?.slice(0, mostStops) : stopSequences;
  const wishes: readonly (readonly [name: string, value: JsonObject[string], isTaken: boolean])[] =
    [
      ["temperature", temperature, isTaken],
      ["top_p", topP, isTaken],
      ["top_k", topK, isTaken && quirks?.topK === true],
      ["stop", stops?.length ? stops : undefined, isStopTaken],
    ];
  const fields: MutableJsonObject = {};
  for (const [name, value, isWelcome] of wishes) {
    if (value === undefined) continue;
    if (isWelcome) fields[name] = value;
    else {
      const message = `${model.id} does not take ${name} here: it was left out`;
      notes.push(warning("sampling-dropped", message));
    }
  }
  if (fields["stop"] !== undefined && stops!.length < stopSequences!.length) {
    const message = `OpenAI takes ${mostStops} stop sequences; the first ${mostStops} were sent.`;
    notes.push(warning("stop-sequences-dropped", message));
  }
  return fields;
}

function encodeOutput(
  { output }: WireRequest,
  { model, quirks }: EncodeTarget,
  notes: Note[],
): JsonObject {
  if (output === undefined) return {};
  if (quirks?.jsonObjectOnly === true) {
    const message = `${model.id} takes no schema: it was sent as words of the system prompt`;
    notes.push(warning("schema-dropped", message));
    return { response_format: { type: "json_object" } };
  }
  const { name = "output" } = output;
  const schema = withItems(output.schema);
  const strict = !quirks?.omitStrict && { strict: isStrict(schema) };
  return { response_format: { type: "json_schema", json_schema: { name, schema, ...strict } } };
}

const encodeHints = ({ cache, userId }: WireRequest, { quirks }: EncodeTarget): JsonObject => ({
  ...(cache?.key !== undefined &&
    quirks?.omitCacheKey !== true && { prompt_cache_key: cache.key.slice(0, 64) }),
  ...(userId !== undefined && { user: userId }),
});
