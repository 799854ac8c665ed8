import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asObject, asText } from "../../common/json-reading.ts";
import { mapObjectsIn, viewOnce, withIn, type RuleFault } from "../../common/rules/define-rule.ts";
import { objectsOf } from "../client/json-reading.ts";

/** How the service names a field that it has read. */
export const inRequest =
  (words: string) =>
  (path: string): string =>
    `* GenerateContentRequest.${path}: ${words}\n`;

export const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** With the detail the service sends along. */
export function unknownName(name: string, at: string): RuleFault {
  const where = at === "" ? "" : ` at '${at}'`;
  const message = `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`;
  const violation = { ...(at !== "" && { field: at }), description: message };
  return {
    path: at === "" ? name : `${at}.${name}`,
    message,
    details: [
      { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [violation] },
    ],
  };
}

/** A field under its camel-case or its snake-case name: the service reads both. */
export const field = (whole: JsonObject, name: string): JsonValue | undefined =>
  whole[name] ?? whole[snake(name)] ?? undefined;

/** Nearly every rule asks for these two, so the names are not made each time. */
export const configOf = ({ generationConfig, generation_config }: JsonObject): JsonObject =>
  asObject(generationConfig ?? generation_config);

export const thinkingOf = (body: JsonObject): JsonObject => {
  const { thinkingConfig, thinking_config } = configOf(body);
  return asObject(thinkingConfig ?? thinking_config);
};

/** Puts fields into `generationConfig`, or takes them out with `undefined`. */
export const withConfig = (body: JsonObject, fields: JsonObject): JsonObject =>
  withIn(body, "generationConfig", fields);

export const withThinking = (body: JsonObject, fields: JsonObject): JsonObject =>
  withConfig(body, {
    thinkingConfig: withIn(configOf(body), "thinkingConfig", fields)["thinkingConfig"],
  });

/** Vertex has other texts and other checks. */
export const isVertex = ({ path }: RuleInput): boolean => path.includes("/publishers/");

/** The id as the caller wrote it; a row may stand for more than one. */
export const askedModel = ({ path, model }: RuleInput): string =>
  /\/([^/:?]+):\w+/.exec(path)?.[1] ?? model.id;

/** A part and where it stands. */
export interface Placed {
  readonly part: JsonObject;
  readonly turn: number;
  readonly at: number;
  readonly path: string;
  readonly role: string;
}

export interface Located extends Placed {
  readonly data: JsonObject;
}

export interface TurnOfContents {
  readonly index: number;
  readonly role: string;
  readonly parts: readonly Placed[];
  readonly calls: readonly Located[];
  readonly results: readonly Located[];
}

/** `contents`, with the calls and results of each. */
export const turnsOf: (input: RuleInput) => readonly TurnOfContents[] = viewOnce((body) =>
  objectsOf(body["contents"]).map((content, turn) => {
    const role = asText(content["role"]) || "user";
    const parts = objectsOf(content["parts"]).map((part, at) => {
      return { part, turn, at, role, path: `contents[${turn}].parts[${at}]` };
    });
    const holding = (name: string): readonly Located[] =>
      parts.flatMap((placed) => {
        const data = field(placed.part, name);
        return isJsonObject(data) ? { data, ...placed } : [];
      });
    const calls = holding("functionCall");
    return { index: turn, role, parts, calls, results: holding("functionResponse") };
  }),
);

export const partsOf = (input: RuleInput): readonly Placed[] =>
  turnsOf(input).flatMap(({ parts }) => parts);

/** Neighbouring contents of one side. */
export interface RunOfParts {
  readonly isModel: boolean;
  readonly turns: readonly TurnOfContents[];
  readonly calls: readonly Located[];
  readonly results: readonly Located[];
}

/**
 * The service reads neighbouring contents of the model as one turn. `chats` of @google/genai relies on
 * this: a streamed call comes back as `model[functionCall], model[{text: ""}]`.
 */
export const runsOf: (input: RuleInput) => readonly RunOfParts[] = viewOnce((_, input) => {
  const runs: TurnOfContents[][] = [];
  for (const turn of turnsOf(input)) {
    const last = runs.at(-1);
    if (last && (last[0]?.role === "model") === (turn.role === "model")) last.push(turn);
    else runs.push([turn]);
  }
  return runs.map((turns) => ({
    isModel: turns[0]?.role === "model",
    turns,
    calls: turns.flatMap(({ calls }) => calls),
    results: turns.flatMap(({ results }) => results),
  }));
});

/** Rewrites, splits or leaves out single contents; the rest stays as it is. */
export const mapContents = (
  body: JsonObject,
  change: (content: JsonObject, index: number) => JsonObject | readonly JsonObject[] | undefined,
): JsonObject => ({ ...body, contents: mapObjectsIn(body["contents"], change) });

/** The same for all parts. */
export const mapParts = (
  body: JsonObject,
  change: (part: JsonObject, turn: number, at: number) => JsonObject | undefined,
): JsonObject =>
  mapContents(body, (content, turn) => {
    const { parts } = content;
    const mapped = mapObjectsIn(parts, (part, at) => change(part, turn, at));
    return { ...content, parts: mapped };
  });
