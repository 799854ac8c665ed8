import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import type { WireId } from "../types/message.ts";
import { info, type Note } from "../types/plan.ts";
import { isToolSpec, type AnyTool } from "../types/tool.ts";
import { asList } from "../wire/common/json-reading.ts";
import { traitsOf } from "../wire/traits.ts";
import { resolveRef } from "./json-schema.ts";

export interface FittedTools {
  readonly tools: readonly AnyTool[];
  readonly notes: readonly Note[];
}

/**
 * Tools as the services take them. Anthropic and OpenAI refuse a union of objects as arguments, and
 * with it the whole request: its fields go as one object, and the tool still checks what comes.
 */
export function fitTools(tools: readonly AnyTool[], wire: WireId): FittedTools {
  const notes: Note[] = [];
  if (traitsOf[wire].takesUnions) return { tools, notes };
  const fitted = tools.map((tool): AnyTool => {
    if (!isToolSpec(tool)) return tool;
    const schema = fitSchema(tool.inputSchema);
    if (schema === tool.inputSchema) return tool;
    const message = `No service takes the alternatives at the top of ${tool.name}'s schema: their fields are sent as one object.`;
    if (hasUnion(tool.inputSchema)) notes.push(info("schema-flattened", message));
    return { ...tool, inputSchema: schema };
  });
  return { tools: fitted.every((tool, index) => tool === tools[index]) ? tools : fitted, notes };
}

const hasUnion = ({ oneOf, anyOf, allOf }: JsonObject): boolean =>
  oneOf !== undefined || anyOf !== undefined || allOf !== undefined;

const fitSchema = (schema: JsonObject): JsonObject => {
  const flat = hasUnion(schema) ? (flatten(schema, schema) ?? schema) : schema;
  return flat["type"] === undefined && !hasUnion(flat) ? { type: "object", ...flat } : flat;
};

/** One object for all alternatives; `undefined` if one of them is not an object. */
function flatten(schema: JsonObject, root: JsonObject): JsonObject | undefined {
  const { oneOf, anyOf, allOf, ...own } = schema;
  const alternatives = resolveAll([...asList(oneOf), ...asList(anyOf)], root);
  const parts = resolveAll(asList(allOf), root);
  if (alternatives === undefined || parts === undefined) return undefined;
  const required = new Set([
    ...[own, ...parts].flatMap(requiredOf),
    ...requiredOf(alternatives[0] ?? {}).filter((name) =>
      alternatives.every((form) => requiredOf(form).includes(name)),
    ),
  ]);
  const words = [own["description"], describeForms(alternatives)].filter(
    (text) => typeof text === "string",
  );
  return {
    ...own,
    type: "object",
    ...(words.length > 0 && { description: words.join(" ") }),
    properties: joinProperties([own, ...parts, ...alternatives]),
    ...(required.size > 0 && { required: [...required] }),
  };
}

function resolveAll(
  forms: readonly JsonValue[],
  root: JsonObject,
): readonly JsonObject[] | undefined {
  const resolved = forms.map((form) => resolve(form, root));
  return resolved.every((form) => form !== undefined) ? resolved : undefined;
}

/** The object a form stands for, without unions of its own; a name may lead back to itself, so it is followed once. */
function resolve(form: JsonValue, root: JsonObject): JsonObject | undefined {
  const meant =
    isJsonObject(form) && form["$ref"] !== undefined ? resolveRef(form["$ref"], root) : form;
  if (!isJsonObject(meant) || (meant["type"] ?? "object") !== "object") return undefined;
  if (!hasUnion(meant)) return meant;
  return meant === form ? flatten(meant, root) : undefined;
}

const requiredOf = ({ required }: JsonObject): readonly string[] =>
  asList(required).filter((name) => typeof name === "string");

/** A field that means different things in different forms may be any of them. */
function joinProperties(forms: readonly JsonObject[]): JsonObject {
  const meanings = new Map<string, Map<string, JsonValue>>();
  for (const { properties } of forms) {
    for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const known = meanings.get(name) ?? new Map<string, JsonValue>();
      if (schema !== undefined) known.set(JSON.stringify(schema), schema);
      meanings.set(name, known);
    }
  }
  return Object.fromEntries(
    [...meanings].map(([name, known]) => {
      const [only, ...others] = known.values();
      return [name, others.length === 0 ? only : { anyOf: [...known.values()] }];
    }),
  );
}

/** `undefined` if there is nothing to choose. */
function describeForms(forms: readonly JsonObject[]): string | undefined {
  if (forms.length < 2) return undefined;
  const fields = forms.map((form) => {
    const { properties } = form;
    const names = isJsonObject(properties) ? Object.keys(properties) : requiredOf(form);
    return names.join(", ");
  });
  return `Give the fields of one of these forms: ${fields.join(" | ")}.`;
}
