import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { HotDelta } from "../../../types/wire.ts";

/** What a piece of text adds to. */
export type DeltaPlace =
  | { readonly kind: "text" }
  | { readonly kind: "thinking"; readonly field: string }
  | { readonly kind: "input"; readonly call: number };

/** The only new text of a chunk; `undefined` where there is more or less than one. */
export function findDelta(
  chunk: JsonObject,
  fields: readonly string[],
): HotDelta<DeltaPlace> | undefined {
  const { choices, usage, error } = chunk;
  if (!Array.isArray(choices) || choices.length !== 1 || isSaid(usage) || isSaid(error))
    return undefined;
  const choice: unknown = choices[0];
  if (!isJsonObject(choice) || (choice["index"] ?? 0) !== 0) return undefined;
  if (isSaid(choice["finish_reason"]) || isSaid(choice["usage"])) return undefined;
  const { delta } = choice;
  if (!isJsonObject(delta)) return undefined;
  const said = Object.keys(delta).filter((key) => !silent.has(key) && isSaid(delta[key]));
  const key = said[0];
  if (key === undefined || said.length !== 1) return undefined;
  const value = delta[key];
  if (key === "tool_calls") return findInput(value);
  if (typeof value !== "string") return undefined;
  if (key === "content") return { key, text: value, to: { kind: "text" } };
  return fields.includes(key)
    ? { key, text: value, to: { kind: "thinking", field: key } }
    : undefined;
}

const silent: ReadonlySet<string> = new Set(["role", "token_id", "channel"]);

const isSaid = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== "" &&
  !(Array.isArray(value) && value.length === 0);

function findInput(calls: unknown): HotDelta<DeltaPlace> | undefined {
  if (!Array.isArray(calls) || calls.length !== 1) return undefined;
  const call: unknown = calls[0];
  if (!isJsonObject(call) || typeof call["index"] !== "number") return undefined;
  const said = Object.keys(call).filter(
    (key) => key !== "index" && key !== "type" && isSaid(call[key]),
  );
  const body = call["function"];
  if (said.length !== 1 || !isJsonObject(body) || isSaid(body["name"])) return undefined;
  const text = body["arguments"];
  if (typeof text !== "string") return undefined;
  return { key: "arguments", text, to: { kind: "input", call: call["index"] } };
}
