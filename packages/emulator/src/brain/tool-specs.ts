import { isJsonObject } from "mull/wire";
import type { AnyTool, JsonObject, JsonValue, ToolSpec } from "mull";

const schemaFields = ["parameters", "input_schema", "parametersJsonSchema", "inputSchema"];

const specOf = (declared: JsonObject): readonly ToolSpec[] => {
  const { name, description } = declared;
  if (typeof name !== "string") return [];
  const inputSchema = schemaFields.map((field) => declared[field]).find(isJsonObject) ?? {};
  return [{ name, inputSchema, ...(typeof description === "string" && { description }) }];
};

const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

/** A tool that takes plain text, shown as an object with one field. `plainInput` unwraps it. */
const textSchema: JsonObject = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
};

const customFields = ({ vendor: { fields } }: Extract<AnyTool, { vendor: unknown }>): JsonObject =>
  isJsonObject(fields["custom"]) ? fields["custom"] : fields;

/** The input of a call in the form that its tool takes. */
export const plainInput = (
  tools: readonly AnyTool[],
  call: { readonly name: string; readonly input: JsonValue },
): JsonValue => {
  const isCustom = tools.some(
    (tool) =>
      "vendor" in tool &&
      tool.vendor.fields["type"] === "custom" &&
      customFields(tool)["name"] === call.name,
  );
  return isCustom && isJsonObject(call.input) ? (call.input["input"] ?? "") : call.input;
};

/** Functions that the caller runs, also those whose declaration was kept in the vendor's format. */
export const specsOf = (tool: AnyTool): readonly ToolSpec[] => {
  if ("inputSchema" in tool) return [tool];
  const { fields } = tool.vendor;
  if (fields["type"] === "custom") {
    return specOf({ ...customFields(tool), parameters: textSchema });
  }
  if (isJsonObject(fields["function"])) return specOf(fields["function"]);
  if (fields["functionDeclarations"] !== undefined) {
    return objectsIn(fields["functionDeclarations"]).flatMap(specOf);
  }
  const isFunction = fields["type"] === "function" || fields["type"] === undefined;
  return isFunction ? specOf(fields) : [];
};
