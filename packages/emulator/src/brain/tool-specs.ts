import type { AnyTool, JsonObject, JsonValue, ToolSpec } from "mull";

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const schemaFields = ["parameters", "input_schema", "parametersJsonSchema", "inputSchema"];

const specOf = (declared: JsonObject): readonly ToolSpec[] => {
  const { name, description } = declared;
  if (typeof name !== "string") return [];
  const inputSchema = schemaFields.map((field) => declared[field]).find(isObject) ?? {};
  return [{ name, inputSchema, ...(typeof description === "string" && { description }) }];
};

const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];

/** Functions the caller runs itself, also where a reader kept their declaration as it was written. */
export const specsOf = (tool: AnyTool): readonly ToolSpec[] => {
  if ("inputSchema" in tool) return [tool];
  const { fields } = tool.vendor;
  if (isObject(fields["function"])) return specOf(fields["function"]);
  if (fields["functionDeclarations"] !== undefined) {
    return objectsIn(fields["functionDeclarations"]).flatMap(specOf);
  }
  const isFunction = fields["type"] === "function" || fields["type"] === undefined;
  return isFunction ? specOf(fields) : [];
};
