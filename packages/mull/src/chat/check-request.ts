import { invalidArgument } from "../types/error.ts";
import { isJsonObject, type JsonObject } from "../types/json.ts";
import type { ChatRequest } from "../types/request.ts";
import { isStandardSchema } from "../types/standard-schema.ts";
import { isToolSpec, type ToolChoice } from "../types/tool.ts";
import { limits } from "../wire/common/limits.ts";

/** Node 20 and today's browsers have it; its type came later. */
const isWellFormed = (text: string): boolean =>
  (text as string & { readonly isWellFormed: () => boolean }).isWellFormed();

/** Refuses what no service can take, naming the field, before anything is planned or sent. */
export function checkRequest(request: ChatRequest): void {
  const messages = request?.messages;
  const count = Array.isArray(messages) ? messages.length : 0;
  if (count === 0) {
    throw invalidArgument("messages", messages, "a list of at least one message");
  }
  const odd = messages.findIndex((message) => !Array.isArray(message?.parts));
  if (odd >= 0) {
    throw invalidArgument(`messages[${odd}]`, messages[odd], "a message with a role and parts");
  }
  checkCount("maxOutputTokens", request.maxOutputTokens, 1);
  checkCount("thinkingBudget", request.thinkingBudget, 0);
  checkNumber("temperature", request.temperature, 0, 2);
  checkNumber("topP", request.topP, 0, 1);
  checkCount("topK", request.topK, 1);
  checkWords("system", request.system);
  const last = messages.at(-1);
  if (last?.role === "user") {
    last.parts.forEach((part, index) => {
      if (part.type === "text") checkWords(`messages.at(-1).parts[${index}].text`, part.text);
    });
  }
  checkTools(request);
  checkPlain("extra", request.extra);
  checkOutput(request.output);
}

/** What a Standard Schema writes is checked when it has written it. */
function checkOutput(output: ChatRequest["output"]): void {
  if (output === undefined || isStandardSchema(output?.schema)) return;
  checkSchema("output.schema", output?.schema);
}

export function checkSchema(field: string, schema: unknown): asserts schema is JsonObject {
  if (!isJsonObject(schema)) throw invalidArgument(field, schema, "a JSON Schema object");
  checkPlain(field, schema);
}

function checkTools({ tools = [], toolChoice }: ChatRequest): void {
  const names = new Set<string>();
  for (const tool of tools) {
    if (!isToolSpec(tool)) continue;
    const field = `tools.${tool.name}`;
    if (typeof tool.name !== "string" || tool.name === "") {
      throw invalidArgument("tools[].name", tool.name, "a name");
    }
    if (names.has(tool.name)) throw invalidArgument(field, tool.name, "each tool name once");
    names.add(tool.name);
    checkWords(`${field}.description`, tool.description);
    checkSchema(`${field}.inputSchema`, tool.inputSchema);
  }
  // The names of a vendor's own tools are known to the vendor alone.
  if (toolChoice !== undefined && tools.every(isToolSpec)) checkChoice(toolChoice, [...names]);
}

const choices = ["auto", "none", "required"] as const;

function checkChoice(choice: ToolChoice, names: readonly string[]): void {
  const isKnown = isJsonObject(choice) ? names.includes(choice.tool) : choices.includes(choice);
  if (isKnown) return;
  const allowed = [...choices, ...names.map((tool) => JSON.stringify({ tool }))];
  throw invalidArgument("toolChoice", choice, allowed);
}

function checkCount(field: string, value: number | undefined, least: number): void {
  if (value !== undefined && (!Number.isSafeInteger(value) || value < least)) {
    throw invalidArgument(field, value, `a whole number from ${least}`);
  }
}

function checkNumber(field: string, value: number | undefined, least: number, most: number): void {
  const isWithin = typeof value === "number" && value >= least && value <= most;
  if (value !== undefined && !isWithin) {
    throw invalidArgument(field, value, `a number from ${least} to ${most}`);
  }
}

function checkWords(field: string, text: string | undefined): void {
  if (text !== undefined && (typeof text !== "string" || !isWellFormed(text))) {
    throw invalidArgument(field, text, "text without lone surrogates (half of a character)");
  }
}

/** Only plain JSON goes over a wire; a `__proto__` key would change the object it is merged into. */
function checkPlain(field: string, root: unknown): void {
  if (root === undefined) return;
  // Those around the value at hand: the same object twice side by side is no cycle.
  const around: object[] = [];
  const check = (value: unknown): void => {
    if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
      throw invalidArgument(field, typeof value, "plain JSON");
    }
    if (typeof value === "string") checkWords(field, value);
    if (typeof value !== "object" || value === null) return;
    if (around.includes(value)) throw invalidArgument(field, "a cycle", "plain JSON");
    if (Object.hasOwn(value, "__proto__")) {
      throw invalidArgument(field, "__proto__", "plain JSON without a __proto__ key");
    }
    if (around.push(value) > limits.jsonDepth) {
      throw invalidArgument(
        field,
        "a deeper one",
        `nested at most ${limits.jsonDepth} levels deep`,
      );
    }
    Object.values(value).forEach(check);
    around.pop();
  };
  check(root);
}
