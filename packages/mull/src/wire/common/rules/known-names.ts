import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { isSpoken, viewOnce, type RuleFault, type RuleDraft } from "./define-rule.ts";

/** A step into a body: a field, a list position, or the tag that names an object's variant. */
export type PathStep =
  | { readonly field: string }
  | { readonly at: number }
  | { readonly tag: string };

/** An unknown field, or an unknown variant with the known ones. */
export interface Stray {
  readonly path: readonly PathStep[];
  readonly field?: string;
  readonly tag?: string;
  readonly tags: readonly string[];
}

type KnownFields = ReadonlyMap<string, string | undefined>;

interface KnownShape {
  /** The fields of an object that has no variants. */
  readonly plain?: KnownFields;
  readonly variants: ReadonlyMap<string, KnownFields>;
}

type NameTable = ReadonlyMap<string, KnownShape>;

/**
 * Reads a table of names, one shape a line: `message role content:block` has two fields, and what is in
 * `content` is of the shape `block`; `block/text text citations` is what a `block` of the type `text` has.
 */
function readNames(text: string): NameTable {
  const table = new Map<string, { plain?: KnownFields; variants: Map<string, KnownFields> }>();
  for (const line of text.split("\n")) {
    const [head = "", ...words] = line.trim().split(/\s+/);
    const [name = "", tags] = head.split("/");
    const fields = new Map(
      words.map((word): [string, string | undefined] => {
        const [field = "", shape] = word.split(":");
        return [field, shape];
      }),
    );
    const shape = table.get(name) ?? { variants: new Map<string, KnownFields>() };
    if (tags === undefined) shape.plain = fields;
    for (const tag of tags?.split(",") ?? [])
      shape.variants.set(tag, fields.set("type", undefined));
    table.set(name, shape);
  }
  return table;
}

interface Naming {
  /** The tag of an object in a union; empty if it has none. Its `type` unless given. */
  readonly tagOf?: (object: JsonObject, union: string) => string;
  /** Another spelling of a field, e.g. of `function_call` if the table has `functionCall`. */
  readonly spell?: (field: string) => string;
}

const typeOf = ({ type }: JsonObject): string => (typeof type === "string" ? type : "");

/** Every field of a body that is not in the table. Objects that the table does not describe are skipped. */
function findStrays(
  table: NameTable,
  body: JsonObject,
  { tagOf = typeOf, spell = (field) => field }: Naming = {},
): readonly Stray[] {
  const strays: Stray[] = [];
  const look = (value: JsonValue | undefined, name: string, path: readonly PathStep[]): void => {
    if (Array.isArray(value)) {
      value.forEach((each: JsonValue, at) => look(each, name, [...path, { at }]));
      return;
    }
    const shape = table.get(name);
    if (shape === undefined || !isJsonObject(value)) return;
    const isUnion = shape.variants.size > 0;
    const tag = isUnion ? tagOf(value, name) : "";
    const fields = isUnion ? shape.variants.get(tag) : shape.plain;
    if (fields === undefined) {
      strays.push({ path, tag, tags: [...shape.variants.keys()].toSorted() });
      return;
    }
    const inside = isUnion ? [...path, { tag }] : path;
    for (const [field, inner] of Object.entries(value)) {
      const known = fields.has(field) ? field : spell(field);
      const shapeInside = fields.get(known);
      if (!fields.has(known)) strays.push({ path: inside, field, tags: [] });
      else if (shapeInside !== undefined) look(inner, shapeInside, [...inside, { field }]);
    }
  };
  look(body, "body", []);
  return strays;
}

/**
 * The body without the stray fields. Objects of an unknown type are kept, and so are fields in which
 * another API keeps a conversation: no repair drops what was said.
 */
const withoutStrays = (body: JsonObject, strays: readonly Stray[]): JsonObject =>
  strays.reduce<JsonObject>(
    (kept, { path, field }) =>
      field === undefined || isSpoken(field) ? kept : (dropField(kept, path, field) as JsonObject),
    body,
  );

/** The path comes from `findStrays`, so each step fits what is there. */
function dropField(
  value: JsonValue | undefined,
  path: readonly PathStep[],
  name: string,
): JsonValue {
  const [step, ...rest] = path;
  if (step !== undefined && "tag" in step) return dropField(value, rest, name);
  if (step !== undefined && "at" in step) {
    return (value as readonly JsonValue[]).map((each, at) =>
      at === step.at ? dropField(each, rest, name) : each,
    );
  }
  const object = value as JsonObject;
  return step === undefined
    ? Object.fromEntries(Object.entries(object).filter(([field]) => field !== name))
    : { ...object, [step.field]: dropField(object[step.field], rest, name) };
}

type StraysIn = (input: RuleInput) => readonly Stray[];

export interface NameFinder {
  /** Unknown fields of the body itself: cheap enough for every request. */
  readonly fieldsAtTop: StraysIn;
  readonly fieldsBelow: StraysIn;
  /** Both, in the order in which they stand. */
  readonly fields: StraysIn;
  readonly types: StraysIn;
}

/** Looks for names a service does not know. `isJudged`: other hosts of a wire have names of their own. */
export function makeNameFinder(
  text: string,
  naming: Naming = {},
  isJudged: (input: RuleInput) => boolean = () => true,
): NameFinder {
  const table = readNames(text);
  // The first line is the body; without the shapes of its fields nothing below is looked at.
  const top = readNames(text.replace(/\n[^]*/, "").replaceAll(/:\w+/g, ""));
  const all = viewOnce((body) => findStrays(table, body, naming));
  const strays: StraysIn = (input) => (isJudged(input) ? all(input) : []);
  return {
    fieldsAtTop: (input) => (isJudged(input) ? findStrays(top, input.body, naming) : []),
    fieldsBelow: (input) =>
      strays(input).filter(({ path, field }) => field !== undefined && path.length > 0),
    fields: (input) => strays(input).filter(({ field }) => field !== undefined),
    types: (input) => strays(input).filter(({ field }) => field === undefined),
  };
}

/** The `find` and `repair` of a rule about unknown fields. */
export const leavingOut = (
  strays: StraysIn,
  faultOf: (stray: Stray) => RuleFault,
): Pick<RuleDraft, "find" | "repair"> => ({
  find: (input) => strays(input).map(faultOf),
  repair: (input) => withoutStrays(input.body, strays(input)),
});

/** `input[0].content[1]`, as OpenAI and Google write a place. */
export const bracketPath = (
  path: readonly PathStep[],
  spell: (field: string) => string = (field) => field,
): string =>
  path
    .map((step) => {
      if ("at" in step) return `[${step.at}]`;
      return "field" in step ? `.${spell(step.field)}` : "";
    })
    .join("")
    .replace(/^\./, "");
