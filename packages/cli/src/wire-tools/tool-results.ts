import type { AssistantPart, ToolCallPart, ToolMessage, ToolResultPart } from "mull";

import { UsageError } from "../frame/usage-error.ts";

type ResultFields = Readonly<Record<string, unknown>>;

const idFields = ["callId", "call_id", "tool_call_id", "tool_use_id", "toolCallId", "id"];
const outputFields = ["output", "content", "result", "response"];
const errorFields = ["isError", "is_error"];

/** A result as it was given: for a call by id, for a tool by name, or for the next call. */
interface GivenResult {
  readonly id?: string;
  readonly name?: string;
  readonly output: string;
  readonly isError: boolean;
}

/**
 * Results for the calls of an answer. They find their call by id, then by name, then by order, so
 * that a plain list of outputs will do. Calls without a result stay open; a bare output without a
 * call belongs nowhere.
 */
export function readResults(
  value: unknown,
  parts: readonly AssistantPart[],
): ToolMessage | undefined {
  const open = parts.filter((part) => part.type === "tool-call");
  const given = listOf(value).map(readResult);
  const results = given.flatMap((result) => {
    const at = findCall(result, open);
    const call = at < 0 ? undefined : open.splice(at, 1)[0];
    return call === undefined && result.id === undefined ? [] : [toPart(result, call)];
  });
  return results.length === 0 ? undefined : { role: "tool", parts: results };
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [value];
  if (Array.isArray(value["results"])) return value["results"];
  const isOne = [...idFields, "name"].some((field) => typeof value[field] === "string");
  return isOne ? [value] : Object.entries(value).map(([key, output]) => ({ key, output }));
}

function readResult(value: unknown): GivenResult {
  if (!isObject(value)) return { output: outputText(value), isError: false };
  const id = firstText(value, [...idFields, "key"]);
  const name = firstText(value, ["name", "key"]);
  const output = outputFields.map((field) => value[field]).find((field) => field !== undefined);
  if (output === undefined) {
    throw new UsageError(
      `${JSON.stringify(value).slice(0, 80)} is not a tool result.`,
      'Expected e.g. {"callId": "…", "output": "…"}, a list of them, or a list of outputs.',
    );
  }
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    output: outputText(output),
    isError: errorFields.some((field) => value[field] === true),
  };
}

function findCall({ id, name }: GivenResult, open: readonly ToolCallPart[]): number {
  const byId = open.findIndex((call) => call.id === id);
  if (byId >= 0) return byId;
  const byName = open.findIndex((call) => call.name === name);
  return byName >= 0 || open.length === 0 ? byName : 0;
}

const toPart = (result: GivenResult, call: ToolCallPart | undefined): ToolResultPart => ({
  type: "tool-result",
  callId: call?.id ?? result.id ?? "",
  name: call?.name ?? result.name ?? "",
  output: result.output,
  ...(result.isError && { isError: true }),
});

const outputText = (output: unknown): string =>
  typeof output === "string" ? output : JSON.stringify(output ?? null);

const firstText = (value: ResultFields, fields: readonly string[]): string | undefined =>
  fields.map((field) => value[field]).find((field): field is string => typeof field === "string");

const isObject = (value: unknown): value is ResultFields =>
  typeof value === "object" && value !== null;
