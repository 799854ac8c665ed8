import type { JsonObject, MutableJsonObject } from "../../../types/json.ts";
import { warning, type Note } from "../../../types/plan.ts";
import type { WireRequest, Sampling } from "../../../types/request.ts";
import type { ToolSpec } from "../../../types/tool.ts";
import type { Encoded, EncodeTarget } from "../../../types/wire.ts";
import { asObject } from "../../common/json-reading.ts";
import { mergeFields } from "../../common/merge-fields.ts";
import { writeTools } from "../../common/write-tools.ts";
import { markCached, writeMessages, writeParts, type Writing } from "./messages.ts";
import { wire } from "./parts.ts";
import { writeThinking } from "./thinking.ts";
import type { Model } from "../../../types/model.ts";

/** Every model accepts it. The next version takes fewer fields. */
const defaultVersion = "2023-06-01";
const diagnosisBeta = "cache-diagnosis-2026-04-07";
const compactionBeta = "compact-2026-01-12";
/** The cap if neither the request nor the model's row has one: the field is required. */
const defaultMaxTokens = 4096;

export function encode(request: WireRequest, target: EncodeTarget): Encoded {
  const { quirks } = target;
  const notes: Note[] = [];
  const betas: string[] = [];
  const dial = writeThinking(request, target, notes);
  const { breakpoints: cached, diagnose } = request.cache ?? {};
  const isDiagnosed = Boolean(diagnose) && target.model.cacheDiagnosis === true;
  if (isDiagnosed) betas.push(diagnosisBeta);
  const { serviceCompactsAt: value } = request;
  if (value) betas.push(compactionBeta);
  const writing: Writing = { target, notes, betas, message: 0, part: 0 };
  const written = writeMessages(request.messages, cached, writing);
  const system = [...writeSystem(request, writing), ...written.system];
  const tools = writeTools(request.tools, wire, notes, writeTool);
  if (cached) {
    markCached(tools, cached);
    markCached(system, cached);
  }
  const choice = writeToolChoice(request);
  const version = quirks?.anthropicVersion ?? defaultVersion;
  const output = {
    ...(dial.effort && { effort: dial.effort }),
    ...(request.output && { format: { type: "json_schema", schema: request.output.schema } }),
  };
  const body: JsonObject = {
    model: request.model,
    max_tokens: request.maxOutputTokens ?? target.model.outputCap ?? defaultMaxTokens,
    ...(system.length > 0 && { system }),
    messages: written.messages,
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && choice && { tool_choice: choice }),
    ...(dial.thinking && { thinking: dial.thinking }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
    ...writeSampling(request, target, version, dial.thinking?.["type"], notes),
    ...(request.userId !== undefined && { metadata: { user_id: request.userId } }),
    // Null keeps the prompt of a first answer, for the next one to be compared with.
    ...(isDiagnosed && {
      diagnostics: { previous_message_id: typeof diagnose === "string" ? diagnose : null },
    }),
    ...(value && {
      context_management: {
        edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value } }],
      },
    }),
    ...(request.stream && { stream: true }),
  };
  const merged = mergeFields(mergeFields(body, asObject(quirks?.body)), request.extra);
  return {
    path: "/v1/messages",
    ...withBetas(merged, [...dial.betas, ...betas], version),
    notes,
  };
}

function writeSystem({ system = [] }: WireRequest, writing: Writing): readonly JsonObject[] {
  const parts = typeof system === "string" ? [{ type: "text" as const, text: system }] : system;
  return writeParts(parts, "system", writing);
}

const writeTool = ({ name, description, inputSchema, strict }: ToolSpec): JsonObject => ({
  name,
  ...(description !== undefined && { description }),
  input_schema: { type: "object", ...inputSchema },
  ...(strict !== undefined && { strict }),
});

function writeToolChoice({
  toolChoice: choice,
  parallelToolCalls,
}: WireRequest): JsonObject | undefined {
  const single = parallelToolCalls === false && { disable_parallel_tool_use: true };
  if (choice === undefined || choice === "auto") {
    return choice || single ? { type: "auto", ...single } : undefined;
  }
  if (choice === "none") return { type: "none" };
  return choice === "required"
    ? { type: "any", ...single }
    : { type: "tool", name: choice.tool, ...single };
}

/**
 * Betas travel in a header; `anthropic_beta` in `extra` adds to them. Google and AWS name the
 * version in the body, and there the betas stay in the body too.
 */
function withBetas(
  merged: JsonObject,
  own: readonly string[],
  version: string,
): Pick<Encoded, "headers" | "body"> {
  const { anthropic_beta: asked, ...rest } = merged;
  const body: MutableJsonObject = rest;
  const betas = [...new Set([...own, ...(Array.isArray(asked) ? asked.map(String) : [])])];
  if (body["anthropic_version"] !== undefined) {
    if (betas.length > 0) body["anthropic_beta"] = betas;
    return { headers: {}, body };
  }
  const headers = {
    "anthropic-version": version,
    ...(betas.length > 0 && { "anthropic-beta": betas.join(",") }),
  };
  return { headers, body };
}

/** Whether a model also thinks when nothing is sent about thinking. */
export const alwaysThinks = ({ thinking }: Model): boolean =>
  thinking.kind !== "none" && thinking.off === "never";

/** The first Claude version that takes no sampling parameters. */
export const versionWithoutSampling = "2026-10-21";

/** Writes what the model takes of the sampling parameters; `thinking` is the form being sent. */
function writeSampling(
  request: Sampling,
  { model }: EncodeTarget,
  version: string,
  thinking: unknown,
  notes: Note[],
): JsonObject {
  const isThinking = thinking === "enabled" || thinking === "adaptive" || alwaysThinks(model);
  const takes =
    version < versionWithoutSampling && ["free", "limited", "ignored"].includes(model.sampling);
  const isLimited = model.sampling === "limited";
  const fields: MutableJsonObject = {};
  const write = (name: string, value: number | undefined, isAllowed: boolean): void => {
    if (value === undefined) return;
    if (takes && isAllowed) fields[name] = value;
    else notes.push(warning("sampling-dropped", `${model.id} does not take ${name} ${value} here`));
  };
  const { temperature, topP, topK, stopSequences } = request;
  const fitting = temperature === undefined ? undefined : Math.min(1, Math.max(0, temperature));
  if (fitting !== temperature && takes) {
    notes.push(warning("temperature-fitted", `temperature ${temperature} became ${fitting}`));
  }
  write("temperature", fitting, !isLimited || !isThinking || fitting === 1);
  const hasTemperature = fields["temperature"] !== undefined && model.generation === "4.5";
  const fitsThinking = topP !== undefined && topP >= 0.95 && topP <= 1;
  const isTopPFine = !hasTemperature && (!isThinking || fitsThinking);
  write("top_p", topP, !isLimited || isTopPFine);
  write("top_k", topK, !isLimited || !isThinking);
  if (stopSequences?.length) fields["stop_sequences"] = stopSequences;
  return fields;
}
