import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Finding, Rule, RuleInput } from "../../../types/rule.ts";
import { camelCase } from "../client/camel-case.ts";
import { mapObjectsIn, objectsIn, viewOnce } from "../../common/rule-view.ts";
import { objectOf, textOf } from "../client/json-reading.ts";

/** A violation: its place, and the service's words. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
  readonly details?: readonly JsonObject[];
}

interface RuleSpec {
  readonly id: string;
  readonly summary: string;
  readonly about?: readonly string[];
  readonly severity?: "warning" | "advice";
  readonly preflight?: true;
  /** Where the service does not answer 400 INVALID_ARGUMENT. */
  readonly answer?: { readonly status: number; readonly type: string };
  readonly check: (input: RuleInput) => readonly Problem[];
  readonly repairSummary?: string;
  /** Gets the body with camel-case names, which the service takes alike. */
  readonly repair?: (body: JsonObject, input: RuleInput) => JsonObject;
}

const invalid = { status: 400, type: "INVALID_ARGUMENT" };

export function makeRule(spec: RuleSpec): Rule {
  const { id, summary, about, severity = "error", repair, repairSummary, preflight } = spec;
  return {
    id,
    wire: "google-generate",
    severity,
    summary,
    ...(about !== undefined && { about }),
    check: (input) => spec.check(input).map((problem) => findingOf(problem, spec)),
    ...(repairSummary !== undefined && { repairSummary }),
    ...(repair !== undefined && {
      repair: (input: RuleInput) =>
        spec.check(input).length === 0 ? input.body : repair(camelCase(input.body), input),
    }),
    ...(preflight && { preflight }),
  };
}

function findingOf({ path, message, fix, details }: Problem, spec: RuleSpec): Finding {
  const severity = spec.severity ?? "error";
  const answer = { ...(spec.answer ?? invalid), message, ...(details && { details }) };
  return {
    rule: spec.id,
    severity,
    path,
    message,
    ...(fix !== undefined && { fix }),
    ...(severity === "error" && { answer }),
  };
}

/** A field by its camel-case or snake-case name; the service reads both. */
export const field = (object: JsonObject, name: string): JsonValue | undefined =>
  object[name] ?? object[snakeName(name)] ?? undefined;

const snakeName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Both spellings of `generationConfig`. */
export const configNames = ["generationConfig", "generation_config"] as const;

export const configOf = (body: JsonObject): JsonObject => objectOf(field(body, "generationConfig"));

export const thinkingOf = (body: JsonObject): JsonObject =>
  objectOf(field(configOf(body), "thinkingConfig"));

/** Sets a field of `generationConfig`; `undefined` removes it. */
export const withConfig = (body: JsonObject, fields: JsonObject): JsonObject => ({
  ...body,
  generationConfig: defined({ ...configOf(body), ...fields }),
});

export const defined = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Whether a request goes to Vertex, whose texts and checks differ. */
export const isVertex = ({ path }: RuleInput): boolean => path.includes("/publishers/");

/** The model id as the caller wrote it; a row may stand for several. */
export const askedModel = ({ path, model }: RuleInput): string =>
  /\/([^/:?]+):\w+/.exec(path)?.[1] ?? model.id;

export interface Turn {
  readonly index: number;
  readonly role: string;
  readonly parts: readonly JsonObject[];
  readonly calls: readonly Located[];
  readonly results: readonly Located[];
}

export interface Located {
  /** Place of the content. */
  readonly turn: number;
  /** Place of the part in its content. */
  readonly at: number;
  readonly part: JsonObject;
  /** The call or the result. */
  readonly data: JsonObject;
}

/** A repeated field may be given as its one item. */
const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  objectsIn(Array.isArray(value) ? value : [value]);

/** The `contents` with their calls and results. */
export const turnsOf: (input: RuleInput) => readonly Turn[] = viewOnce((body) =>
  listOf(body["contents"]).map(readTurn),
);

/** The last of the `contents`, without reading the others. */
export const lastTurnOf = ({ body }: RuleInput): Turn | undefined => {
  const contents = listOf(body["contents"]);
  return contents.slice(-1).map((content) => readTurn(content, contents.length - 1))[0];
};

function readTurn(content: JsonObject, index: number): Turn {
  const parts = listOf(content["parts"]);
  return {
    index,
    role: textOf(content["role"]) || "user",
    parts,
    calls: locate(parts, index, callIn),
    results: locate(parts, index, resultIn),
  };
}

const callIn = (part: JsonObject): unknown => part["functionCall"] ?? part["function_call"];
const resultIn = (part: JsonObject): unknown =>
  part["functionResponse"] ?? part["function_response"];

const nowhere: readonly Located[] = [];

function locate(
  parts: readonly JsonObject[],
  turn: number,
  dataIn: (part: JsonObject) => unknown,
): readonly Located[] {
  let found: Located[] | undefined;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    const data = dataIn(part);
    if (!isJsonObject(data)) continue;
    // Most have one: a list that grows takes room for seventeen.
    if (found) found.push({ turn, at, part, data });
    else found = [{ turn, at, part, data }];
  }
  return found ?? nowhere;
}

/** Neighbouring contents of one role. */
export interface Run {
  readonly isModel: boolean;
  readonly turns: readonly Turn[];
  readonly calls: readonly Located[];
  readonly results: readonly Located[];
}

/**
 * Neighbouring contents of one role together: the service reads them as one turn. `chats` of
 * @google/genai counts on it: a streamed call comes back as `model[functionCall], model[{text:
 * ""}]`.
 */
export const runsOf: (input: RuleInput) => readonly Run[] = viewOnce((_, input) => {
  const runs: (Run & { turns: Turn[] })[] = [];
  for (const turn of turnsOf(input)) {
    const isModel = turn.role === "model";
    const { calls, results } = turn;
    const last = runs.at(-1);
    if (last?.isModel !== isModel) runs.push({ isModel, turns: [turn], calls, results });
    else
      runs[runs.length - 1] = {
        isModel,
        turns: [...last.turns, turn],
        calls: calls.length === 0 ? last.calls : [...last.calls, ...calls],
        results: results.length === 0 ? last.results : [...last.results, ...results],
      };
  }
  return runs;
});

/** Changes, splits or drops single contents. */
export const mapContents = (
  body: JsonObject,
  change: (content: JsonObject, index: number) => JsonObject | readonly JsonObject[] | undefined,
): JsonObject => ({ ...body, contents: mapObjectsIn(body["contents"], change) });

/** Changes, splits or drops single parts of a content. */
export const mapParts = (
  content: JsonObject,
  change: (part: JsonObject, at: number) => JsonObject | readonly JsonObject[] | undefined,
): JsonObject => ({ ...content, parts: mapObjectsIn(content["parts"], change) });
