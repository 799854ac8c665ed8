import { isJsonObject } from "mull/wire";
import type { ToolSpec } from "mull";

import { UsageError } from "../frame/usage-error.ts";

/** Names of the schema field: ours and those of the wires. */
const schemaFields = ["inputSchema", "input_schema", "parameters", "parametersJsonSchema"];

/** Tools as any of the wires declares them, or as mull does. */
export function readTools(value: unknown): readonly ToolSpec[] {
  const list = isJsonObject(value) && Array.isArray(value["tools"]) ? value["tools"] : value;
  const tools = Array.isArray(list) ? list : [list];
  return tools.flatMap((tool: unknown) => readTool(tool));
}

function readTool(tool: unknown): readonly ToolSpec[] {
  if (!isJsonObject(tool)) throw notTool(tool);
  const declared = tool["functionDeclarations"] ?? tool["function_declarations"];
  if (Array.isArray(declared)) return readTools(declared);
  const spec = isJsonObject(tool["function"]) ? tool["function"] : tool;
  const { name, description } = spec;
  if (typeof name !== "string" || name === "") throw notTool(tool);
  const schema = schemaFields.map((field) => spec[field]).find(isJsonObject);
  return [
    {
      name,
      ...(typeof description === "string" && { description }),
      inputSchema: schema ?? { type: "object", properties: {} },
      ...(spec["strict"] === true && { strict: true }),
    },
  ];
}

const notTool = (tool: unknown): UsageError =>
  new UsageError(
    `${JSON.stringify(tool)?.slice(0, 80)} is not a tool.`,
    'Expected e.g. {"name": "add", "description": "…", "inputSchema": {"type": "object"}}.',
  );
