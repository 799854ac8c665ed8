import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { info, type Note } from "../../../types/plan.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { AnyTool, ToolChoice, ToolSpec } from "../../../types/tool.ts";
import type { EncodeTarget } from "../../../types/wire.ts";
import { extraOn } from "../../common/answer.ts";
import { writeTools } from "../../common/write-tools.ts";
import { geminiGeneration } from "./generation.ts";
import { wire } from "./parts.ts";

export const isFunction = (tool: AnyTool): tool is ToolSpec => !("vendor" in tool);

/** `tools`: our functions in one entry, then the vendor's own as they came. */
export function toolEntries(tools: readonly AnyTool[], notes: Note[]): readonly JsonObject[] {
  const functions = tools.filter(isFunction).map(writeFunction);
  const own = tools.filter((tool) => !isFunction(tool));
  return [
    ...(functions.length > 0 ? [{ functionDeclarations: functions }] : []),
    ...writeTools(own, wire, notes, writeFunction),
  ];
}

function writeFunction(tool: ToolSpec): JsonObject {
  const fields = extraOn(wire, tool) ?? {};
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    // `parameters` and `parametersJsonSchema` exclude each other.
    ...(!("parameters" in fields) && { parametersJsonSchema: withoutConst(tool.inputSchema) }),
    ...fields,
  };
}

/** A schema with `const` written as `enum` with one value, since Google ignores `const`. */
export function withoutConst<T extends JsonValue | undefined>(schema: T): T;
export function withoutConst(schema: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(schema)) return schema.map((item: JsonValue) => withoutConst(item));
  if (!isJsonObject(schema)) return schema;
  const isSchema = "const" in schema && !isJsonObject(schema["const"]);
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (isSchema && key === "const") return ["enum", [value]];
      // Values, not schemas.
      if (key === "enum" || key === "default" || key === "examples") return [key, value];
      return [key, withoutConst(value)];
    }),
  );
}

/** Writes `toolConfig.functionCallingConfig`, which the service refuses without functions. */
export function writeToolConfig(
  request: WireRequest,
  target: EncodeTarget,
  notes: Note[],
): JsonObject | undefined {
  const functions = (request.tools ?? []).filter(isFunction);
  const { toolChoice } = request;
  if (functions.length === 0) return undefined;
  if (request.parallelToolCalls === false) {
    const message = "Google has no switch for parallel calls; several may come at once.";
    notes.push(info("parallel-calls-kept", message));
  }
  const hasStrict = functions.some((tool) => tool.strict === true);
  if ((toolChoice ?? "auto") === "auto" && hasStrict && geminiGeneration(target.model) >= 3) {
    return { functionCallingConfig: { mode: "VALIDATED" } };
  }
  return toolChoice === undefined ? undefined : { functionCallingConfig: writeChoice(toolChoice) };
}

const modes = { auto: "AUTO", none: "NONE", required: "ANY" } as const;

const writeChoice = (choice: ToolChoice): JsonObject =>
  typeof choice === "object"
    ? { mode: "ANY", allowedFunctionNames: [choice.tool] }
    : { mode: modes[choice] };
