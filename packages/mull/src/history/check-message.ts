import { MullError } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Message } from "../types/message.ts";
import { limits } from "../wire/common/limits.ts";
import { isTooDeep } from "../wire/common/tool-input.ts";

type FieldIsGood = (value: unknown) => boolean;

const isText: FieldIsGood = (value) => typeof value === "string";
const isThere: FieldIsGood = (value) => value !== undefined;
const isOutput: FieldIsGood = (value) => isText(value) || Array.isArray(value);
const isSource: FieldIsGood = (value) =>
  isJsonObject(value) &&
  ((value["type"] === "base64" && isText(value["data"])) ||
    (value["type"] === "url" && isText(value["url"])) ||
    (value["type"] === "id" && isText(value["id"])));

/** The fields a part must have. Fields not named here are kept as they are. */
const requiredFields: ReadonlyMap<string, Readonly<Record<string, FieldIsGood>>> = new Map([
  ["text", { text: isText }],
  ["thinking", { text: isText, visibility: isText }],
  ["tool-call", { id: isText, name: isText, input: isThere }],
  ["tool-result", { callId: isText, name: isText, output: isOutput }],
  ["file", { mediaType: isText, source: isSource }],
  ["opaque", { wire: isText, kind: isText, data: isJsonObject }],
]);

const allowedParts: ReadonlyMap<string, readonly string[]> = new Map([
  ["system", ["text", "opaque"]],
  ["user", ["text", "file", "opaque"]],
  ["assistant", ["text", "thinking", "tool-call", "file", "opaque"]],
  ["tool", ["tool-result"]],
]);

/** Refuses a value that is not a message; the `MullError` names the path of the first fault. */
export function checkMessage(value: unknown, path: string): asserts value is Message {
  if (!isJsonObject(value)) throw fault(path, "a message with role and parts");
  const allowed = allowedParts.get(nameOf(value["role"]));
  if (allowed === undefined) throw fault(`${path}.role`, [...allowedParts.keys()].join(", "));
  const { parts } = value;
  if (!Array.isArray(parts))
    throw fault(`${path}.parts`, 'a list of parts, such as { type: "text", text }');
  parts.forEach((part: unknown, index) => checkPart(part, allowed, `${path}.parts[${index}]`));
}

function checkPart(part: unknown, allowed: readonly string[], path: string): void {
  if (!isJsonObject(part)) throw fault(path, "a part");
  const type = nameOf(part["type"]);
  const fields = allowed.includes(type) ? requiredFields.get(type) : undefined;
  if (fields === undefined) throw fault(`${path}.type`, `one of ${allowed.join(", ")}`);
  for (const [name, isGood] of Object.entries(fields)) {
    if (!isGood(part[name])) throw fault(`${path}.${name}`, `what a ${type} part needs there`);
  }
  const { seal } = part;
  if (seal !== undefined && !isSeal(seal))
    throw fault(`${path}.seal`, "a seal with origin and data");
  if (type === "tool-result" && Array.isArray(part["output"])) {
    part["output"].forEach((inner: unknown, index) =>
      checkPart(inner, ["text", "file"], `${path}.output[${index}]`),
    );
  }
  const mayNest = type === "tool-call" || type === "opaque" || part["extra"] !== undefined;
  if ((mayNest || seal !== undefined) && isTooDeep(part, limits.jsonDepth + 1)) {
    throw fault(path, `nested at most ${limits.jsonDepth} levels deep`);
  }
}

const nameOf = (value: unknown): string => (typeof value === "string" ? value : "");

const isSeal = (seal: unknown): boolean =>
  isJsonObject(seal) && isJsonObject(seal["data"]) && isOrigin(seal["origin"]);

const isOrigin = (origin: unknown): boolean =>
  isJsonObject(origin) && ["wire", "provider", "model"].every((name) => isText(origin[name]));

/** The error for a stored history that is not one: what is wrong, and where. */
export const fault = (path: string, expected: string): MullError =>
  new MullError(`history: ${path} is not ${expected}`, {
    category: "invalid_argument",
    code: "invalid_history",
    field: path,
  });
