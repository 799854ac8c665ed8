import type { ChatRequest, JsonObject, JsonValue, WireId } from "mull";
import { isJsonObject, jsonSchemaOf, type WireRequest } from "mull/wire";

/** The form of answer that a client wants, in the words of the model that answers. */
export interface WantedJson {
  readonly output?: ChatRequest["output"];
  /** Any JSON will do: words for the system prompt, which every model understands. */
  readonly words?: string;
  /** The switch of the wire that answers. */
  readonly extra?: JsonObject;
  /** What the client sent beside that. */
  readonly rest: JsonObject;
}

const words = "Answer with one JSON object and nothing else: no other words, no code fence.";

/** Claude has no switch for JSON without a schema. */
const switches: Readonly<Record<WireId, JsonObject | undefined>> = {
  "anthropic-messages": undefined,
  "openai-responses": { text: { format: { type: "json_object" } } },
  "openai-chat": { response_format: { type: "json_object" } },
  "google-generate": { generationConfig: { responseMimeType: "application/json" } },
};

/** Reads what a client of `wire` wants of a model on the wire `to`. */
export function readWantedJson(asked: WireRequest, wire: WireId, to: WireId): WantedJson {
  const { extra = {}, output } = asked;
  // The client checks the answer itself. A second one would follow words that it has seen.
  if (output !== undefined) return { output: { ...output, check: false }, rest: extra };
  // Its own wire is told in its own words.
  if (wire === to) return { rest: extra };
  const { wants, output: form, rest } = readForm(extra, wire);
  if (form !== undefined) return { output: { ...form, check: false }, rest };
  if (wants !== "json") return { rest: wants === "text" ? rest : extra };
  const own = switches[to];
  // Gemini 2 takes JSON or functions, not both. With tools, only the words ask for JSON.
  const hasTools = (asked.tools ?? []).length > 0;
  return { words, rest, ...(own !== undefined && !hasTools && { extra: own }) };
}

interface WantedForm {
  readonly wants: "text" | "json" | "other";
  readonly output?: WireRequest["output"];
  readonly rest: JsonObject;
}

/** Reads what the mirror left as it is: JSON without a schema, and schemas beside fields that only one vendor has. */
function readForm(extra: JsonObject, wire: WireId): WantedForm {
  switch (wire) {
    case "openai-chat": {
      const { response_format: format, ...rest } = extra;
      return { rest, ...readFormat(format, "json_schema") };
    }
    case "openai-responses": {
      const { text, ...others } = extra;
      const { format, ...more } = isJsonObject(text) ? text : {};
      return { rest: withMore(others, "text", more), ...readFormat(format) };
    }
    case "google-generate": {
      const { generationConfig, ...others } = extra;
      const config = isJsonObject(generationConfig) ? generationConfig : {};
      const { responseMimeType, responseSchema, ...more } = config;
      const rest = withMore(others, "generationConfig", more);
      if (responseMimeType === undefined && responseSchema === undefined)
        return { wants: "text", rest };
      if (responseMimeType !== "application/json") return { wants: "other", rest };
      const schema = jsonSchemaOf(responseSchema);
      return { wants: "json", rest, ...(schema !== undefined && { output: { schema } }) };
    }
    case "anthropic-messages": {
      // Where schemas were while they were in beta.
      const { output_format: format, ...rest } = extra;
      return { rest, ...readFormat(format) };
    }
    default:
      return wire satisfies never;
  }
}

/** Chat Completions has its schema one level deeper than the others, under the name of the type. */
function readFormat(format: JsonValue | undefined, place?: string): Omit<WantedForm, "rest"> {
  if (format === undefined || format === null) return { wants: "text" };
  const { type, ...flat } = isJsonObject(format) ? format : {};
  const spec = place === undefined ? flat : flat[place];
  const { name, schema } = isJsonObject(spec) ? spec : {};
  if (type === "json_schema" && isJsonObject(schema))
    return { wants: "json", output: { schema, ...(typeof name === "string" && { name }) } };
  return { wants: type === "json_object" ? "json" : type === "text" ? "text" : "other" };
}

const withMore = (others: JsonObject, name: string, more: JsonObject): JsonObject =>
  Object.keys(more).length === 0 ? others : { ...others, [name]: more };
