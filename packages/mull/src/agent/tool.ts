import { jsonSchemaOf, findFaults } from "../chat/json-schema.ts";
import { checkNames } from "../types/check-names.ts";
import { invalidArgument, requireObject } from "../types/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import { isStandardSchema, type StandardSchema } from "../types/standard-schema.ts";
import type { ToolSpec } from "../types/tool.ts";
import { checkStandard } from "../chat/object.ts";

/** What a tool's `run` gets besides its input. */
export interface ToolContext {
  readonly callId: string;
  /** Aborted when the turn is stopped or the tool's time is up. */
  readonly signal: AbortSignal;
}

/** What `tool` makes a tool from. */
export interface ToolOptions<Input> {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema, or a Standard Schema value. */
  readonly input?: JsonObject | StandardSchema<Input>;
  /** JSON Schema to show the model when `input` is a Standard Schema that cannot give one. */
  readonly inputSchema?: JsonObject;
  readonly strict?: boolean;
  /** Longest run in milliseconds; default 120,000. */
  readonly timeoutMs?: number;
  /** Safe to run again after a crash. */
  readonly idempotent?: boolean;
  /** Whether a person has to agree before a call runs; a function decides by the input. */
  readonly needsApproval?: boolean | ((input: Input) => boolean | Promise<boolean>);
  readonly run: (input: Input, context: ToolContext) => unknown;
}

/** A tool an agent can run. */
export interface Tool {
  readonly spec: ToolSpec;
  readonly timeoutMs?: number;
  readonly idempotent?: boolean;
  readonly needsApproval?: (input: unknown) => boolean | Promise<boolean>;
  /** Checks the input; resolves to the value to run with, or to what is wrong with it. */
  readonly check: (
    input: JsonValue,
  ) => Promise<{ readonly input: unknown } | { readonly faults: readonly string[] }>;
  readonly run: (input: unknown, context: ToolContext) => unknown;
}

const toolFields: Readonly<Record<keyof ToolOptions<unknown>, true>> = {
  name: true,
  description: true,
  input: true,
  inputSchema: true,
  strict: true,
  timeoutMs: true,
  idempotent: true,
  needsApproval: true,
  run: true,
};

/** Defines a tool. Its schema is checked here, before any model sees it. */
export function tool<Input = JsonObject>(options: ToolOptions<Input>): Tool {
  requireObject("tool", options, "an object with name and run");
  checkNames("tool", options, toolFields);
  if (typeof options.name !== "string" || !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(options.name)) {
    throw invalidArgument(
      "tool name",
      options.name,
      "1 to 64 letters, digits, _ and -, beginning with a letter or _",
    );
  }
  if (typeof options.run !== "function") {
    throw invalidArgument(`tool ${options.name} run`, options.run, "a function");
  }
  const { needsApproval } = options;
  if (!["undefined", "boolean", "function"].includes(typeof needsApproval)) {
    const field = `tool ${options.name} needsApproval`;
    throw invalidArgument(field, needsApproval, "true, false or a function of the input");
  }
  const inputSchema = schemaOf(options);
  const standard = isStandardSchema(options.input) ? options.input : undefined;
  return {
    spec: {
      name: options.name,
      ...(options.description !== undefined && { description: options.description }),
      inputSchema,
      ...(options.strict !== undefined && { strict: options.strict }),
    },
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    ...(options.idempotent !== undefined && { idempotent: options.idempotent }),
    ...(needsApproval !== undefined && {
      needsApproval: (input: unknown) =>
        typeof needsApproval === "boolean" ? needsApproval : needsApproval(input as Input),
    }),
    check: (input) =>
      standard === undefined ? checkJson(input, inputSchema) : checkOwn(input, standard),
    run: (input, context) => options.run(input as Input, context),
  };
}

function schemaOf<Input>(options: ToolOptions<Input>): JsonObject {
  const { input, inputSchema } = options;
  const field = `tool ${options.name} inputSchema`;
  if (inputSchema !== undefined) return requireSchema(inputSchema, field);
  if (input === undefined) return { type: "object", properties: {} };
  if (!isStandardSchema(input)) return requireSchema(input, field);
  return requireSchema(jsonSchemaOf(input, field, "inputSchema"), field);
}

/** A schema must be plain JSON: functions, cycles and class instances never reach a service. */
function requireSchema(schema: unknown, field: string): JsonObject {
  if (!isJsonObject(schema)) throw invalidArgument(field, schema, "a JSON Schema object");
  const { type = "object" } = schema;
  if (type !== "object") throw invalidArgument(`${field}.type`, type, ["object"]);
  try {
    return JSON.parse(JSON.stringify(schema)) as JsonObject;
  } catch {
    throw invalidArgument(field, "a value that is not JSON", "a JSON Schema object");
  }
}

const checkJson = async (
  input: JsonValue,
  schema: JsonObject,
): Promise<{ readonly input: unknown } | { readonly faults: readonly string[] }> => {
  const faults = findFaults(input, schema);
  return faults.length === 0 ? { input: structuredClone(input) } : { faults };
};

async function checkOwn(
  input: JsonValue,
  schema: StandardSchema,
): Promise<{ readonly input: unknown } | { readonly faults: readonly string[] }> {
  const checked = await checkStandard(input, schema, "input");
  return "faults" in checked ? checked : { input: checked.value };
}
