import type { JsonObject } from "../../../types/json.ts";
import type { Model, SamplingLimit } from "../../../types/model.ts";
import { info, warning, type Note } from "../../../types/plan.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { Encoded, EncodeTarget } from "../../../types/wire.ts";
import { mergeFields } from "../../common/merge-fields.ts";
import { schemaInWords } from "../../common/schema-in-words.ts";
import { geminiGeneration, isGemini, skipSignature } from "./generation.ts";
import { type Content, writeContents } from "./messages.ts";
import { writeThinking } from "./thinking.ts";
import { isFunction, withoutConst, writeToolConfig, toolEntries } from "./tools.ts";

/** Writes a request as `generateContent` or `streamGenerateContent` takes it. */
export function encode(request: WireRequest, target: EncodeTarget): Encoded {
  const notes: Note[] = [];
  const { contents, system: said, skipped } = writeContents(request.messages, target);
  if (skipped > 0) notes.push(skipNote(skipped));
  const told = writtenOut(request, target, notes);
  const system = writeSystem(request.system, [...said, ...told]);
  const isInline = system.length > 0 && target.model.id.startsWith("gemma-");
  const tools = toolEntries(request.tools ?? [], notes);
  const toolConfig = writeToolConfig(request, target, notes);
  const generationConfig = writeConfig(request, target, told.length === 0, notes);
  const body: JsonObject = {
    ...(system.length > 0 && !isInline && { systemInstruction: { parts: system } }),
    contents: isInline ? openWith(system, contents) : contents,
    ...(tools.length > 0 && { tools }),
    ...(toolConfig !== undefined && { toolConfig }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
  // The caller's own fields win; objects such as `generationConfig` are joined, not replaced.
  return {
    path: pathOf(request, target),
    headers: {},
    body: mergeFields(body, request.extra),
    notes,
  };
}

/** Vertex's base URL names project and location; the rest of the path differs with it. */
function pathOf({ model, stream }: WireRequest, { quirks }: EncodeTarget): string {
  const id = encodeURIComponent(model.slice(model.lastIndexOf("/") + 1));
  const parent = quirks?.vertex === true ? "/publishers/google/models" : "/v1beta/models";
  return `${parent}/${id}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
}

function writeSystem(
  own: WireRequest["system"] = [],
  others: readonly string[],
): readonly JsonObject[] {
  const first = typeof own === "string" ? [own] : own.map((part) => part.text);
  return [...first, ...others].filter((text) => text !== "").map((text) => ({ text }));
}

/** Gemma takes no system instruction: it opens the first user turn. */
function openWith(system: readonly JsonObject[], contents: readonly Content[]): readonly Content[] {
  const [first, ...others] = contents;
  return first?.role === "user"
    ? [{ role: "user", parts: [...system, ...first.parts] }, ...others]
    : [{ role: "user", parts: [...system] }, ...contents];
}

/** The schema in words: before Gemini 3, an output format beside functions is refused. */
function writtenOut(
  { output, tools = [] }: WireRequest,
  { model }: EncodeTarget,
  notes: Note[],
): readonly string[] {
  const isTaken = !tools.some(isFunction) || !isGemini(model) || geminiGeneration(model) >= 3;
  if (output === undefined || isTaken) return [];
  const message = `${model.id} takes no schema together with functions: it was sent as words of the system prompt.`;
  notes.push(warning("schema-dropped", message));
  return [schemaInWords(output)];
}

function writeConfig(
  request: WireRequest,
  target: EncodeTarget,
  takesSchema: boolean,
  notes: Note[],
): JsonObject {
  const { model } = target;
  const thinkingConfig = writeThinking(request.thinking, request.show, model, notes);
  return {
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...writeSampling(request, model.sampling, model, notes),
    ...writeStops(request.stopSequences, notes),
    ...(takesSchema && writeOutput(request)),
    ...(thinkingConfig !== undefined && { thinkingConfig }),
  };
}

const samplingFields = ["temperature", "topP", "topK"] as const;

function writeSampling(
  request: WireRequest,
  limit: SamplingLimit,
  model: Model,
  notes: Note[],
): JsonObject {
  const asked = samplingFields.flatMap((name) => {
    const value = request[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  if (limit === "free" || asked.length === 0) return Object.fromEntries(asked);
  const names = asked.map(([name]) => name).join(", ");
  notes.push(warning("sampling-dropped", `${model.id} ignores ${names}; left out.`));
  return {};
}

const mostStops = 5;

function writeStops(stops: readonly string[] = [], notes: Note[]): JsonObject {
  if (stops.length > mostStops) {
    const message = `Google takes ${mostStops} stop sequences; the first ${mostStops} were sent.`;
    notes.push(warning("stop-sequences-dropped", message));
  }
  return stops.length === 0 ? {} : { stopSequences: stops.slice(0, mostStops) };
}

const writeOutput = ({ output }: WireRequest): JsonObject =>
  output === undefined
    ? {}
    : { responseMimeType: "application/json", responseJsonSchema: withoutConst(output.schema) };

const skipNote = (count: number): Note =>
  info(
    "google-skip-signature",
    `${count} tool ${count === 1 ? "call" : "calls"} of this turn had no signature that Google can ` +
      `read; ${skipSignature} was sent instead.`,
  );
