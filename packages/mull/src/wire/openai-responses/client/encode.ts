import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import { info, warning, type Note } from "../../../types/plan.ts";
import type { OutputFormat, WireRequest } from "../../../types/request.ts";
import type { ToolChoice, ToolSpec } from "../../../types/tool.ts";
import type { Encoded, EncodeTarget } from "../../../types/wire.ts";
import { isStrict } from "../../common/schema-problems.ts";
import { writeTools } from "../../common/write-tools.ts";
import { inputItems } from "./messages.ts";
import { withItems } from "../../common/list-items.ts";
import { asObject } from "../../common/json-reading.ts";
import { wireId } from "./parts.ts";
import { reasoningFields } from "./thinking.ts";

const longestCacheKey = 64;

/** Writes a request that relies on no state at the service. */
export function encode(request: WireRequest, target: EncodeTarget): Encoded {
  const notes: Note[] = [];
  const { model, quirks } = target;
  const instructions = systemText(request.system);
  const reasoning = reasoningFields(request.thinking, request.show, notes);
  const hasSeals = model.thinking.kind !== "none" && model.replay === "sealed";
  const body: JsonObject = {
    model: request.model,
    ...(instructions !== "" && { instructions }),
    input: inputItems(request.messages, target, notes),
    ...(request.stream && { stream: true }),
    ...(!quirks?.omitStore && { store: false }),
    ...(reasoning !== undefined && { reasoning }),
    ...(hasSeals && { include: ["reasoning.encrypted_content"] }),
    ...(request.maxOutputTokens !== undefined && { max_output_tokens: request.maxOutputTokens }),
    ...samplingFields(request, target, reasoning, notes),
    ...toolFields(request, target, notes),
    ...(request.output !== undefined && { text: { format: outputFormat(request.output) } }),
    ...cacheFields(request, model, notes),
    ...(request.serviceCompactsAt !== undefined && {
      context_management: [{ type: "compaction", compact_threshold: request.serviceCompactsAt }],
    }),
    ...(request.userId !== undefined && { user: request.userId }),
    ...asObject(quirks?.body),
    ...request.extra,
  };
  return { path: "/responses", headers: {}, body, notes };
}

const systemText = (system: WireRequest["system"]): string =>
  typeof system === "string"
    ? system
    : (system ?? [])
        .filter((part) => part.send !== false)
        .map((part) => part.text)
        .join("\n\n");

function samplingFields(
  request: WireRequest,
  { model }: EncodeTarget,
  reasoning: JsonObject | undefined,
  notes: Note[],
): JsonObject {
  const { temperature, topP, topK, stopSequences } = request;
  const effort = request.effortInForce ?? reasoning?.["effort"] ?? model.defaultThinking;
  const isTaken =
    model.sampling === "free" ||
    model.sampling === "limited" ||
    (model.sampling === "only-off" && effort === "none");
  if (topK !== undefined)
    notes.push(info("sampling-dropped", "This API has no top-k; it was left out."));
  if (stopSequences !== undefined && stopSequences.length > 0)
    notes.push(warning("stop-dropped", "This API has no stop sequences; they were left out."));
  if (temperature === undefined && topP === undefined) return {};
  if (!isTaken) {
    const message = `${model.id} refuses temperature and top-p here; left out.`;
    notes.push(info("sampling-dropped", message));
    return {};
  }
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
  };
}

function toolFields(request: WireRequest, { quirks }: EncodeTarget, notes: Note[]): JsonObject {
  const tools = writeTools(request.tools, wireId, notes, toolItem(quirks?.omitStrict));
  if (tools.length === 0) return {};
  const { toolChoice, parallelToolCalls } = request;
  return {
    tools,
    ...(toolChoice !== undefined && { tool_choice: choiceOf(toolChoice) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  };
}

const choiceOf = (choice: ToolChoice): JsonValue =>
  typeof choice === "string" ? choice : { type: "function", name: choice.tool };

const toolItem =
  (omitStrict: boolean | undefined) =>
  ({ name, description, inputSchema, strict = false }: ToolSpec): JsonObject => ({
    type: "function",
    name,
    ...(description !== undefined && { description }),
    parameters: withItems({ ...inputSchema, properties: inputSchema["properties"] ?? {} }),
    ...(!omitStrict && { strict }),
  });

export function outputFormat({ name = "output", schema: wanted }: OutputFormat): JsonObject {
  const schema = withItems(wanted);
  return { type: "json_schema", name, schema, strict: isStrict(schema) };
}

function cacheFields({ cache = {} }: WireRequest, model: Model, notes: Note[]): JsonObject {
  const { key, diagnose } = cache;
  if (key !== undefined && key.length > longestCacheKey) {
    const message = `Cache keys have at most ${longestCacheKey} characters; it was cut.`;
    notes.push(info("cache-key-cut", message));
  }
  return {
    ...(key !== undefined && { prompt_cache_key: key.slice(0, longestCacheKey) }),
    ...(typeof diagnose === "string" &&
      model.cacheDiagnosis === true && {
        prompt_cache_options: { comparison_response_id: diagnose },
      }),
  };
}
