import { isJsonObject, wireIds } from "mull/wire";
import { MullError, type JsonObject, type JsonValue } from "mull";

import type { Action } from "./actions.ts";
import type { Script, When } from "./script.ts";

const refuse = (path: string, problem: string): never => {
  throw new MullError(`${path}: ${problem}`, {
    category: "invalid_argument",
    code: "INVALID_SCRIPT",
    field: path,
  });
};

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 60);

type ScriptCheck = (value: unknown, path: string) => void;

const text: ScriptCheck = (value, path) => {
  if (typeof value !== "string") refuse(path, `must be a string, found ${show(value)}`);
};
const count =
  (least: number): ScriptCheck =>
  (value, path) => {
    if (!Number.isSafeInteger(value) || (value as number) < least) {
      refuse(path, `must be a whole number from ${least} up, found ${show(value)}`);
    }
  };
const oneOf =
  (words: readonly string[]): ScriptCheck =>
  (value, path) => {
    if (!words.includes(value as string)) {
      refuse(path, `must be one of ${words.join(", ")}, found ${show(value)}`);
    }
  };
const flag: ScriptCheck = (value, path) => {
  if (typeof value !== "boolean") refuse(path, `must be true or false, found ${show(value)}`);
};
const isTrue: ScriptCheck = (value, path) => {
  if (value !== true) refuse(path, `must be true, found ${show(value)}`);
};
const anything: ScriptCheck = (value, path) => {
  if (value === undefined) refuse(path, "is missing");
};
const asObject = (value: unknown, path: string): JsonObject =>
  isJsonObject(value) ? value : refuse(path, `must be an object, found ${show(value)}`);
const object =
  (fields: Readonly<Record<string, ScriptCheck>>, required: readonly string[] = []): ScriptCheck =>
  (value, path) => {
    const known = new Map(Object.entries(fields));
    const given = asObject(value, path);
    for (const [key, item] of Object.entries(given)) {
      const check: ScriptCheck =
        known.get(key) ??
        refuse(`${path}.${key}`, `is unknown. Known: ${[...known.keys()].join(", ")}`);
      check(item, `${path}.${key}`);
    }
    for (const key of required) {
      if (given[key] === undefined) refuse(`${path}.${key}`, "is missing");
    }
  };
const textMap: ScriptCheck = (value, path) => {
  for (const [key, item] of Object.entries(asObject(value, path))) text(item, `${path}.${key}`);
};

const where = oneOf(["inside", "after"]);

const failure = object(
  {
    status: count(100),
    type: text,
    message: text,
    code: text,
    retry: object(
      { form: oneOf(["seconds", "decimal", "ms", "date", "info", "text", "reset"]), ms: count(0) },
      ["form", "ms"],
    ),
    headers: textMap,
  },
  ["status"],
);

/** Every action by the word that names it, with the fields it takes. */
const actionForms = new Map<string, ScriptCheck>([
  ["thinks", object({ thinks: text })],
  ["says", object({ says: text })],
  ["calls", object({ calls: text, input: anything, id: text, raw: text })],
  ["redacts", object({ redacts: isTrue })],
  ["omits", object({ omits: text })],
  ["refuses", object({ refuses: text })],
  ["fails", object({ fails: failure })],
  ["stalls", object({ stalls: count(0), where })],
  ["cuts", object({ cuts: where })],
]);

const readAction = (value: JsonValue, path: string): Action => {
  if (!isJsonObject(value)) return refuse(path, `must be an object, found ${show(value)}`);
  const word = Object.keys(value).find((key) => actionForms.has(key));
  if (word === undefined) {
    return refuse(path, `names no action. Actions: ${[...actionForms.keys()].join(", ")}`);
  }
  (actionForms.get(word) as ScriptCheck)(value, path);
  const action = value as Action & JsonObject;
  return "calls" in action && action.input === undefined ? { ...action, input: {} } : action;
};

const when = object({ model: text, wire: oneOf(wireIds), text, turn: count(1) });

/** Reads the conditions of a script or a planned fault. */
export const parseWhen = (value: JsonValue): When => {
  when(value, "when");
  return value as When;
};

const readScript = (value: unknown, path: string): Script => {
  object({ when, turns: anything, repeat: flag }, ["turns"])(value, path);
  const { turns } = value as { turns: JsonValue };
  if (!Array.isArray(turns)) return refuse(`${path}.turns`, "must be a list of turns");
  const read = (turns as readonly JsonValue[]).map((turn, t) => {
    if (!Array.isArray(turn)) return refuse(`${path}.turns[${t}]`, "must be a list of actions");
    return (turn as readonly JsonValue[]).map((action, a) =>
      readAction(action, `${path}.turns[${t}][${a}]`),
    );
  });
  const source = value as { when?: When; repeat?: boolean };
  return {
    turns: read,
    ...(source.when !== undefined && { when: source.when }),
    ...(source.repeat !== undefined && { repeat: source.repeat }),
  };
};

/** Reads scripts from JSON: one script, a list, or `{ "scripts": [...] }`. Errors name the place. */
export const parseScripts = (source: unknown): readonly Script[] => {
  const value = typeof source === "string" ? parseJson(source) : source;
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, i) => readScript(item, `scripts[${i}]`));
  }
  if (isJsonObject(value) && value["scripts"] !== undefined) return parseScripts(value["scripts"]);
  return [readScript(value, "script")];
};

const parseJson = (source: string): JsonValue => {
  try {
    return JSON.parse(source) as JsonValue;
  } catch (error) {
    return refuse("script", `is not JSON: ${(error as Error).message}`);
  }
};

/** Scripts made in code are checked like those read from JSON: not every caller uses TypeScript. */
export const checkScripts = (scripts: readonly Script[]): readonly Script[] =>
  parseScripts(scripts);
