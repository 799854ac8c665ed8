import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Finding, Rule, RuleInput, Severity } from "../../../types/rule.ts";
import type { ServeError } from "../../../types/wire.ts";
import { asObject, hasKeys, without } from "../json-reading.ts";

/** What is wrong at one place, in the service's words. */
export interface RuleFault extends Partial<Omit<ServeError, "param">> {
  readonly path: string;
  readonly message: string;
  /** The parameter the service names; the path unless given. */
  readonly param?: string | null;
  readonly fix?: string;
  readonly severity?: Severity;
}

export const fault = (path: string, message: string): RuleFault => ({ path, message });

/** One fault, none or many. A path alone is enough where the rule has `says`: `find: ({ body }) => body["n"] != null && "n"`. */
export type RuleFound = RuleFault | string | false | undefined | readonly RuleFound[];

/** Not with `push(...faults)`: one message may have more faults than a call takes arguments. */
function faultsIn(found: RuleFound, into: (RuleFault | string)[] = []): typeof into {
  if (isList(found)) for (const each of found) faultsIn(each, into);
  else if (found) into.push(found);
  return into;
}

export interface RuleDraft extends Omit<Rule, "id" | "wire" | "severity" | "check"> {
  /** `error` unless given. */
  readonly severity?: Severity;
  /**
   * What the repair leaves out: `stop`, `reasoning.summary`. `repairSummary` says so unless given.
   */
  readonly drops?: readonly string[];
  /** What the service says at each path that `find` gives. */
  readonly says?: string | ((path: string, input: RuleInput) => string | RuleFault);
  /** The requests that it is about. */
  readonly when?: (input: RuleInput) => boolean;
  /** Absent: only the service can tell. */
  readonly find?: (input: RuleInput) => RuleFound;
  /** What fixes it; the words of the repair unless given. */
  readonly fix?: string;
  /** Where the service does not answer as it usually does. */
  readonly answer?: { readonly status?: number; readonly type: string };
}

/** Rules by id, in the order in which the service checks. */
export type RuleTable = Readonly<Record<string, RuleDraft>>;

/** Cheap enough to run before every request. */
export const cheap = (draft: RuleDraft): RuleDraft => ({ preflight: true, ...draft });

interface WireWays {
  readonly wire: Rule["wire"];
  /** Type of the usual refusal. */
  readonly type: string;
  /** Its refusals name a parameter. */
  readonly namesParam?: true;
  /** The `when` of rules that have none. */
  readonly when?: (input: RuleInput) => boolean;
  /** The one spelling that repairs see, where the service takes several. */
  readonly spell?: (body: JsonObject) => JsonObject;
}

/** The rules of one wire. */
export function makeRules(ways: WireWays, ...tables: readonly RuleTable[]): readonly Rule[] {
  const spell = ways.spell ?? ((body) => body);
  const makeRule = ([id, draft]: [string, RuleDraft]): Rule => {
    const { when = ways.when, find, says = "", fix, answer, severity = "error", ...rest } = draft;
    const { repair, ...rule } = withDrops(rest);
    const usual = { status: 400, type: ways.type, ...answer };
    const faultAt = (place: string, input: RuleInput): RuleFault => {
      const said = typeof says === "string" ? says : says(place, input);
      return typeof said === "string" ? fault(place, said) : said;
    };
    const toFinding = (found: RuleFault | string, input: RuleInput): Finding => {
      const whole = typeof found === "string" ? faultAt(found, input) : found;
      const { path, message, severity: own = severity, fix: words, param = path, ...more } = whole;
      const remedy = words ?? fix ?? rule.repairSummary;
      const named = ways.namesParam && param !== null && { param };
      return {
        rule: id,
        severity: own,
        path,
        message,
        ...(remedy !== undefined && { fix: remedy }),
        ...(own === "error" && { answer: { ...usual, ...more, message, ...named } }),
      };
    };
    const check = (input: RuleInput): readonly Finding[] => {
      if (find === undefined || when?.(input) === false) return [];
      return faultsIn(find(input)).map((found) => toFinding(found, input));
    };
    return {
      id,
      ...rule,
      wire: ways.wire,
      severity,
      check,
      ...(repair !== undefined && {
        repair: (input: RuleInput, refused?: RegExpExecArray) =>
          refused === undefined && check(input).length === 0
            ? input.body
            : repair({ ...input, body: spell(input.body) }, refused),
      }),
    };
  };
  return tables.flatMap((table) => Object.entries(table).map(makeRule));
}

type DropRule = Omit<RuleDraft, "severity" | "when" | "find" | "says" | "fix" | "answer">;

function withDrops({ drops, ...said }: DropRule): Omit<DropRule, "drops"> {
  if (drops === undefined) return said;
  return {
    repairSummary: `Leave ${drops.map((path) => `\`${path}\``).join(" and ")} out.`,
    repair: ({ body }) => drops.reduce((kept, path) => dropPath(kept, path.split(".")), body),
    ...said,
  };
}

const dropPath = (body: JsonObject, [name = "", ...rest]: readonly string[]): JsonObject => {
  if (rest.length === 0 || body[name] === undefined) return without(body, name);
  const left = dropPath(asObject(body[name]), rest);
  return hasKeys(left) ? { ...body, [name]: left } : without(body, name);
};

export const pathOf = ({ path }: { readonly path: string }): string => path;

/** A copy with fields in one of its objects; without that object where nothing is left in it. */
export function withIn(body: JsonObject, name: string, fields: JsonObject): JsonObject {
  const inner = Object.fromEntries(
    Object.entries({ ...asObject(body[name]), ...fields }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return Object.keys(inner).length === 0 ? without(body, name) : { ...body, [name]: inner };
}

/** The number nearest to this one between two bounds. */
export const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most);

/** An id in place of a refused one. A hash of the whole keeps apart what looks the same when cut: `a|1` and `a:1`. */
export function fitId(id: string, longest: number): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < id.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(id.charCodeAt(at))) * 0x100000001b3n);
  }
  const tail = hash.toString(16).padStart(16, "0");
  return `${id.replaceAll(/[^\w-]/g, "_").slice(0, longest - tail.length - 1)}_${tail}`;
}

/** Of the words a service allows, the nearest at or below the one refused, else the lowest. */
export function nearestWord(
  refused: string,
  allowed: readonly string[],
  order: readonly string[],
): string | undefined {
  const rank = (word: string): number => order.indexOf(word);
  const known = allowed.filter((word) => rank(word) >= 0).toSorted((a, b) => rank(a) - rank(b));
  return known.findLast((word) => rank(word) <= rank(refused)) ?? known[0];
}

/**
 * A view of a body, made once for all rules that look at the same input. It is kept by input and
 * not by body: a caller may change a body in place between two runs, but each run makes a new input.
 */
export function viewOnce<V>(
  make: (body: JsonObject, input: RuleInput) => V,
): (input: RuleInput) => V {
  const views = new WeakMap<RuleInput, { readonly view: V }>();
  return (input) => {
    const known = views.get(input);
    if (known !== undefined) return known.view;
    const view = make(input.body, input);
    views.set(input, { view });
    return view;
  };
}

/**
 * A list with its objects changed, split or left out; `at` counts objects, as `objects` does. What is
 * not an object stays: a bare string in a list of messages is refused, but a person may have said it.
 */
export const mapObjectsIn = (
  list: JsonValue | undefined,
  change: (object: JsonObject, at: number) => JsonObject | readonly JsonObject[] | undefined,
): readonly JsonValue[] => {
  let at = 0;
  return (Array.isArray(list) ? list : list === undefined ? [] : [list]).flatMap(
    (each: JsonValue): readonly JsonValue[] => {
      if (!isJsonObject(each)) return [each];
      const changed = change(each, at++);
      return changed === undefined ? [] : isList(changed) ? changed : [changed];
    },
  );
};

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

/** Fields that hold a conversation or its instructions in one API or another. */
const spoken: ReadonlySet<string> = new Set([
  "contents",
  "content",
  "functionResponse",
  "function_response",
  "input",
  "instructions",
  "message",
  "messages",
  "output",
  "parts",
  "prompt",
  "system",
  "systemInstruction",
  "system_instruction",
  "text",
]);

/** Whether a field that the service doesn't know may hold what a person or the model said: no repair drops that. */
export const isSpoken = (name: string): boolean => spoken.has(name);
