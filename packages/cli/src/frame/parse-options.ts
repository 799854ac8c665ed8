import { parseArgs } from "node:util";

import type { Given, OptionSpec, OptionTable } from "./command.ts";
import { didYouMean, nearest } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

type OptionHint = (rawName: string) => string | undefined;

/**
 * Reads the arguments of a command. Everything after `--` is a word. What is wrong is said in one
 * sentence with the allowed names. `hint` says what to do instead of an option that other programs have.
 */
export function parseOptions(
  argv: readonly string[],
  table: OptionTable,
  hint: OptionHint = () => undefined,
): Given {
  const { tokens } = parseArgs({
    args: withOptionalValues(argv, table),
    options: Object.fromEntries(
      Object.entries(table).map(([name, { type, short }]) => [
        name,
        { type, ...(short !== undefined && { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  let afterDashes: string[] | undefined;
  const values = new Map<string, (string | true)[]>();
  for (const token of tokens) {
    if (token.kind === "option-terminator") afterDashes = [];
    if (token.kind === "positional") {
      words.push(token.value);
      afterDashes?.push(token.value);
    }
    if (token.kind !== "option") continue;
    const value = checkValue(
      token.rawName,
      token.value,
      findSpec(token.name, token.rawName, table, hint),
    );
    const before = values.get(token.name) ?? [];
    const isOther = before.some((other) => other !== value);
    if (isOther && table[token.name]?.many !== true) throw givenTwice(token.rawName);
    values.set(token.name, [...before, value]);
  }
  const texts = (name: string): readonly string[] =>
    (values.get(name) ?? []).filter((value): value is string => value !== true);
  return {
    words,
    ...(afterDashes !== undefined && { afterDashes }),
    text: (name) => texts(name).at(-1),
    texts,
    has: (name) => values.has(name),
  };
}

const givenTwice = (rawName: string): UsageError =>
  new UsageError(`${rawName} is given twice, and it takes one value.`, "Leave one of them out.");

function findSpec(name: string, rawName: string, table: OptionTable, hint: OptionHint): OptionSpec {
  const spec = Object.hasOwn(table, name) ? table[name] : undefined;
  if (spec !== undefined) return spec;
  const known = Object.keys(table).map((option) => `--${option}`);
  throw new UsageError(
    `Unknown option ${rawName}. Options: ${known.join(" ") || "none"}`,
    hint(rawName) ?? didYouMean(rawName, known),
  );
}

function checkValue(rawName: string, value: string | undefined, spec: OptionSpec): string | true {
  if (spec.type === "boolean") {
    if (value === undefined) return true;
    throw new UsageError(`${rawName} takes no value`);
  }
  // `-` is stdin; any other dash word is more likely the next option than a value.
  if (value === undefined || (value.startsWith("-") && value.length > 1 && value.includes("--"))) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${spec.value ?? "VALUE"}`);
  }
  if (spec.choices !== undefined && !spec.choices.includes(value)) {
    const meant = nearest(value, spec.choices);
    throw new UsageError(
      `${rawName}: ${JSON.stringify(value)} is not allowed. Allowed: ${spec.choices.join(" ")}`,
      meant === undefined ? undefined : `Did you mean ${meant}?`,
    );
  }
  return value;
}

/** Writes `-r` without a value as `-r ""`, so that the next option is not taken for it. */
function withOptionalValues(argv: readonly string[], table: OptionTable): string[] {
  const names = new Set(
    Object.entries(table).flatMap(([name, spec]) =>
      spec.optionalValue ? [`--${name}`, `-${spec.short ?? name}`] : [],
    ),
  );
  const end = argv.indexOf("--");
  return argv.flatMap((word, index) => {
    const next = argv[index + 1];
    const isAlone = next === undefined || next.startsWith("-");
    const isOption = names.has(word) && (end < 0 || index < end);
    return isOption && isAlone ? [`--${nameOf(word, table)}=`] : [word];
  });
}

const nameOf = (word: string, table: OptionTable): string =>
  Object.keys(table).find((name) => word === `--${name}` || word === `-${table[name]?.short}`) ??
  "";
