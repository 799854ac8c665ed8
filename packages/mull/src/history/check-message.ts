import { MullError } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Message } from "../types/message.ts";
import { limits } from "../wire/common/limits.ts";
import { isTooDeep } from "../wire/common/tool-input.ts";

/** What a field must be, and how an error says so. */
interface FieldRule {
  readonly isGood: (value: unknown) => boolean;
  readonly words: string;
}

const isText = (value: unknown): boolean => typeof value === "string";
const text: FieldRule = { isGood: isText, words: "a text" };
const given: FieldRule = { isGood: (value) => value !== undefined, words: "given" };
const object: FieldRule = { isGood: isJsonObject, words: "an object" };
const output: FieldRule = {
  isGood: (value) => isText(value) || Array.isArray(value),
  words: "a text or a list of parts",
};
const source: FieldRule = {
  isGood: (value) =>
    isJsonObject(value) &&
    ((value["type"] === "base64" && isText(value["data"])) ||
      (value["type"] === "url" && isText(value["url"])) ||
      (value["type"] === "id" && isText(value["id"]))),
  words: 'an object with type "base64" and data, "url" and url, or "id" and id',
};

/** The fields a part must have. Fields not named here are kept as they are. */
const requiredFields: ReadonlyMap<string, Readonly<Record<string, FieldRule>>> = new Map([
  ["text", { text }],
  ["thinking", { text, visibility: text }],
  ["tool-call", { id: text, name: text, input: given }],
  ["tool-result", { callId: text, name: text, output }],
  ["file", { mediaType: text, source }],
  ["opaque", { wire: text, kind: text, data: object }],
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
  for (const [name, { isGood, words }] of Object.entries(fields)) {
    if (!isGood(part[name])) throw fault(`${path}.${name}`, `${words}, as a ${type} part needs`);
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
