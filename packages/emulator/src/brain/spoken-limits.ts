import type { JsonObject, JsonValue } from "mull";

type SpokenLimits = readonly (readonly [string, JsonValue])[];

const readJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};

/** Anthropic's SDK: `{enum: ["a","b"], minItems: 2}` at the end; mull writes the same in parentheses. */
const inBraces = (description: string): SpokenLimits => {
  const limits: (readonly [string, JsonValue])[] = [];
  let begun = "";
  const list = /[{(](\$?\w+: .+)[})]$/s.exec(description)?.[1] ?? "";
  for (const piece of list.split(/, (?=\$?\w+: )/)) {
    // A string inside a value may look like the next limit.
    begun = begun === "" ? piece : `${begun}, ${piece}`;
    const end = begun.indexOf(": ");
    const value = readJson(begun.slice(end + 2));
    if (value === undefined) continue;
    limits.push([begun.slice(0, end), value]);
    begun = "";
  }
  return limits;
};

/** The keywords of such a sentence. Any other sentence with a colon is about something else. */
const sayable: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
]);

/** The AI SDK: `exclusive minimum: 0; min items: 2.` as the last line. */
const inSentence = (description: string): SpokenLimits =>
  (/(?:^|\n)(.+)\.$/.exec(description)?.[1] ?? "").split("; ").flatMap((piece): SpokenLimits => {
    const [, words = "", text = ""] = /^([a-z ]+): (.+)$/.exec(piece) ?? [];
    const name = words.replaceAll(/ ([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const value = readJson(text);
    return sayable.has(name) && value !== undefined ? [[name, value]] : [];
  });

/**
 * A schema with the limits that its description states. Keywords that Anthropic's service does not take are
 * moved there by clients, for the model to read, and the client checks the answer against them.
 */
export const withSpokenLimits = (schema: JsonObject): JsonObject => {
  const { description } = schema;
  if (typeof description !== "string") return schema;
  const limits = [...inBraces(description), ...inSentence(description)];
  return limits.length === 0 ? schema : { ...Object.fromEntries(limits), ...schema };
};
