import { MullError, invalidArgument } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { Message } from "../types/message.ts";
import type { Receipt } from "../types/plan.ts";
import type { ChatRequest, OutputWish } from "../types/request.ts";
import type { AnswerRun, ChatResult, ChatRun } from "./chat.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import { isStandardSchema, type StandardSchema } from "../types/standard-schema.ts";
import { asList, tryParse, endOfBrackets } from "../wire/common/json-reading.ts";
import { limits } from "../wire/common/limits.ts";
import { isTooDeep } from "../wire/common/tool-input.ts";
import { findFaults, resolveRef, jsonSchemaOf, refuseUncheckable } from "./json-schema.ts";
import { aBoolean, aText, checkEach, checkSchema, countFrom, type OptionCheck } from "./checks.ts";

const defaultRetries = 2;
export const retriesOf = ({ retries = defaultRetries }: OutputWish): number => retries;

/** Whether an answer is one that should hold the object: not a call of tools, not a pause. */
const isAnswer = ({ finish, toolCalls }: ChatResult): boolean =>
  finish.reason !== "pause" && toolCalls.every(({ send }) => send === false);

/** The object of an answer; what to ask when it does not fit. Throws if asking again is no use. */
export async function judge(
  result: ChatResult,
  output: OutputWish,
  retriesLeft: number,
): Promise<{ readonly object: unknown } | { readonly ask: string }> {
  if (output.check === false) return { object: undefined };
  const read = await readObject(result.text, output);
  if ("value" in read) return { object: read.value };
  const { reason } = result.finish;
  const mayFit = reason === "stop" || reason === "error";
  if (!mayFit || retriesLeft <= 0) throw noObject(result, read.faults);
  return { ask: askAgain(read.faults, output) };
}

/** Most faults that the model is told at once: a list of a thousand doesn't help it. */
const mostFaults = 10;
const longestSchema = 8000;

function askAgain(faults: readonly string[], output: OutputWish): string {
  const schema = JSON.stringify(outputSchema(output));
  return [
    "Your answer does not fit the schema:",
    ...faults.slice(0, mostFaults).map((fault) => `- ${fault}`),
    "Answer again with the corrected JSON and nothing else.",
    ...(schema.length <= longestSchema ? [`The schema: ${schema}`] : []),
  ].join("\n");
}

/** The question that a program asks for the user: sent, not shown. */
export const again = (ask: string): Message => ({
  role: "user",
  parts: [{ type: "text", text: ask, show: false }],
});

function noObject(result: ChatResult, faults: readonly string[]): MullError {
  const { finish, refusal, text, message, usage } = result;
  const why =
    finish.reason === "length"
      ? "it was cut at the output limit"
      : refusal === undefined
        ? faults.slice(0, 3).join("; ")
        : "the model refused";
  const partial: Reply = { message, finish, usage };
  return new MullError(`The answer is not the object that was asked for: ${why}.`, {
    category: refusal === undefined ? "protocol" : "content_filter",
    code: "no_object",
    field: "output.schema",
    text: refusal ?? text,
    partial,
    ...(finish.reason === "length" && { fix: "give the answer more room with maxOutputTokens" }),
  });
}

/**
 * A request for an object. An answer that does not fit is asked for again: its events begin anew with
 * a `start`, and there is one `finish` at the end.
 */
export function objectRun(
  given: ChatRequest,
  output: OutputWish,
  open: (request: ChatRequest) => ChatRun,
): AnswerRun {
  const rejected: Receipt[] = [];
  let request = given;
  let run = open(request);
  let retriesLeft = retriesOf(output);
  let object: unknown;
  const pull = async (): Promise<StreamEvent[]> => {
    const events = await run.pull();
    if (events.at(-1)?.type !== "finish") return events;
    const result = run.result();
    if (!isAnswer(result)) return events;
    const judged = await judge(result, output, retriesLeft--);
    if ("object" in judged) {
      object = judged.object;
      return events;
    }
    rejected.push(result.receipt);
    request = { ...request, messages: [...request.messages, result.message, again(judged.ask)] };
    run = open(request);
    const rest = events.slice(0, -1);
    return rest.length > 0 ? rest : pull();
  };
  return {
    pull,
    close: () => run.close(),
    idleMs: () => run.idleMs(),
    abandon: (unread) => run.abandon(unread),
    partial: () => run.partial(),
    receipt: (isOpening) => run.receipt(isOpening),
    sent: () => run.sent(),
    result: () => ({
      ...run.result(),
      ...(object !== undefined && { object }),
      ...(rejected.length > 0 && { rejected }),
    }),
  };
}

/** The object an answer holds, or what is wrong with it. */
export type ReadObject = { readonly value: unknown } | { readonly faults: readonly string[] };

/** Reads the object that was asked for: JSON alone, in a fence, or with words around it. */
export async function readObject(text: string, output: OutputWish): Promise<ReadObject> {
  const schema = outputSchema(output);
  let first: ReadObject | undefined;
  for (const found of findJson(text)) {
    const read: ReadObject = isTooDeep({ found }, limits.jsonDepth)
      ? { faults: [`the JSON is nested deeper than ${limits.jsonDepth} levels`] }
      : await checkObject(found, output, schema);
    if ("value" in read) return read;
    first ??= read;
  }
  return first ?? { faults: ["the answer holds no JSON"] };
}

async function checkObject(
  found: JsonValue,
  { schema: wish }: OutputWish,
  schema: JsonObject,
): Promise<ReadObject> {
  const value = withoutNulls(found, schema, schema);
  if (isStandardSchema(wish)) return checkStandard(value, wish, "the answer");
  const faults = findFaults(value, schema, "the answer");
  return faults.length === 0 ? { value } : { faults };
}

/** Holds a value against a Standard Schema. */
export async function checkStandard(
  value: JsonValue,
  schema: StandardSchema,
  whole: string,
): Promise<{ readonly value: unknown } | { readonly faults: readonly string[] }> {
  const result = await schema["~standard"].validate(structuredClone(value));
  if (result.issues === undefined) return { value: result.value };
  return {
    faults: result.issues.map(
      (issue) => `${(issue.path ?? []).map(pathKey).join(".") || whole}: ${issue.message}`,
    ),
  };
}

const pathKey = (key: unknown): string =>
  String(typeof key === "object" && key !== null && "key" in key ? key.key : key);

/**
 * A field that may be absent and may not be null was sent as one that may be null, if a service
 * wants every field required: null stands for absent.
 */
function withoutNulls(
  value: JsonValue,
  schema: JsonValue | undefined,
  root: JsonObject,
): JsonValue {
  if (!isJsonObject(schema) || typeof value !== "object" || value === null) return value;
  if (schema["$ref"] !== undefined)
    return withoutNulls(value, resolveRef(schema["$ref"], root), root);
  const forms = [...asList(schema["anyOf"]), ...asList(schema["oneOf"])];
  for (const form of forms) {
    const bare = withoutNulls(value, form, root);
    if (isJsonObject(form) && findFaults(bare, form, "", root).length === 0) return bare;
  }
  if (Array.isArray(value))
    return value.map((item: JsonValue) => withoutNulls(item, schema["items"], root));
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = asList(schema["required"]);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (field === undefined || inner === undefined) return [[name, field]];
      const isAbsent =
        field === null &&
        !required.includes(name) &&
        isJsonObject(inner) &&
        findFaults(null, inner, "", root).length > 0;
      return isAbsent ? [] : [[name, withoutNulls(field, inner, root)]];
    }),
  );
}

/** Attempts at JSON in one answer: a text of nothing but brackets would take for ever. */
const mostTries = 50;

/** The JSON values of a text, the likeliest first. */
function* findJson(text: string): Generator<JsonValue> {
  const whole = parse(text.trim());
  if (whole !== undefined) {
    yield whole;
    return;
  }
  for (const [, inside = ""] of text.matchAll(/```[\w-]*\s*\n([\s\S]*?)\n?\s*```/g)) {
    const fenced = parse(inside);
    if (fenced !== undefined) yield fenced;
  }
  let from = 0;
  for (let tries = 0; tries < mostTries; tries++) {
    const start = indexOfOpening(text, from);
    if (start < 0) return;
    const end = endOfBrackets(text, start);
    const value = end === 0 ? undefined : parse(text.slice(start, end));
    if (value !== undefined) yield value;
    from = value === undefined ? start + 1 : end;
  }
}

const parse = (text: string): JsonValue | undefined => tryParse(text) as JsonValue | undefined;

function indexOfOpening(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}

/** The JSON Schema of an answer that is to be an object. */
export function outputSchema({ schema, jsonSchema }: OutputWish): JsonObject {
  if (jsonSchema !== undefined) return jsonSchema;
  if (!isStandardSchema(schema)) return schema as JsonObject;
  const field = "output.schema";
  const written = jsonSchemaOf(schema, field, "output.jsonSchema");
  checkSchema(field, written);
  return written;
}

const schemaToSend: OptionCheck = (value, field) => checkSchema(field, value);

/** What a Standard Schema writes is checked when it has written it. */
const ownSchema: OptionCheck = (value, field) => {
  if (isStandardSchema(value)) return;
  checkSchema(field, value);
  refuseUncheckable(value, field);
};

const outputChecks = {
  name: aText,
  schema: ownSchema,
  jsonSchema: schemaToSend,
  retries: countFrom(0),
  check: aBoolean,
};

/** A schema that isn't checked here may use every keyword that the service knows. */
const uncheckedOutput = { ...outputChecks, schema: schemaToSend };

/** Looks at a wish for an object before anything is sent. */
export const anOutput: OptionCheck = (value, field) => {
  const wish: unknown = value;
  if (!isJsonObject(wish) || wish["schema"] === undefined)
    // A JSON Schema is an object, too, so `output: { type: "object" }` is a likely slip.
    throw invalidArgument(`${field}.schema`, undefined, "output: { schema: a JSON Schema }");
  else
    checkEach(field, wish, wish["check"] === false ? uncheckedOutput : outputChecks, `${field}.`);
};
