import type { ChatRequest, JsonObject, JsonValue, WireId } from "mull";
import { isJsonObject, type WireRequest } from "mull/wire";

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
  const { isJson, schema, rest } = readForm(extra, wire);
  if (schema !== undefined) return { output: { schema, check: false }, rest };
  if (!isJson) return { rest: extra };
  const own = switches[to];
  // Gemini 2 takes JSON or functions, not both. With tools, only the words ask for JSON.
  const hasTools = (asked.tools ?? []).length > 0;
  return { words, rest, ...(own !== undefined && !hasTools && { extra: own }) };
}

interface WantedForm {
  readonly isJson: boolean;
  readonly schema?: JsonObject;
  readonly rest: JsonObject;
}

function readForm(extra: JsonObject, wire: WireId): WantedForm {
  switch (wire) {
    case "openai-chat": {
      const { response_format: format, ...rest } = extra;
      return { isJson: isObjectForm(format), rest };
    }
    case "openai-responses": {
      const { text, ...others } = extra;
      const { format, ...more } = isJsonObject(text) ? text : {};
      return { isJson: isObjectForm(format), rest: withMore(others, "text", more) };
    }
    case "google-generate": {
      const { generationConfig, ...others } = extra;
      const config = isJsonObject(generationConfig) ? generationConfig : {};
      const { responseMimeType, responseSchema, ...more } = config;
      const rest = withMore(others, "generationConfig", more);
      if (responseMimeType !== "application/json") return { isJson: false, rest };
      return isJsonObject(responseSchema)
        ? { isJson: true, schema: plainSchema(responseSchema), rest }
        : { isJson: true, rest };
    }
    case "anthropic-messages":
      return { isJson: false, rest: extra };
    default:
      return wire satisfies never;
  }
}

const isObjectForm = (format: JsonValue | undefined): boolean =>
  isJsonObject(format) && format["type"] === "json_object";

const withMore = (others: JsonObject, name: string, more: JsonObject): JsonObject =>
  Object.keys(more).length === 0 ? others : { ...others, [name]: more };

/** Google's older schemas as JSON Schema: `"type": "STRING", "nullable": true` is `["string", "null"]`. */
function plainSchema(schema: JsonObject): JsonObject {
  const { nullable, propertyOrdering: _order, example: _example, ...fields } = schema;
  const plain = Object.entries(fields).map(([name, value]): [string, JsonValue | undefined] => {
    if (name === "type" && typeof value === "string") {
      const type = value.toLowerCase();
      return [name, nullable === true ? [type, "null"] : type];
    }
    // Google writes 64-bit numbers as strings.
    if (/^(?:min|max)\w+$/.test(name) && typeof value === "string") return [name, Number(value)];
    if (name === "items" && isJsonObject(value)) return [name, plainSchema(value)];
    if (name === "anyOf" && Array.isArray(value))
      return [name, value.filter(isJsonObject).map(plainSchema)];
    if (name !== "properties" || !isJsonObject(value)) return [name, value];
    const inner = Object.entries(value).map(([key, each]) => [
      key,
      isJsonObject(each) ? plainSchema(each) : each,
    ]);
    return [name, Object.fromEntries(inner)];
  });
  return Object.fromEntries(plain);
}
