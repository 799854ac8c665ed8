import type { Exchange, RecordedRequest } from "./cassette.ts";
import type { Difference } from "./error.ts";

type Tree = Readonly<Record<string, unknown>>;

/**
 * In which fields a request differs from a recorded one. Both are redacted. Keys may come in any
 * order; `ignore` names fields that may differ, `*` standing for one step and `**` for any number.
 */
export const compareRequests = (
  expected: RecordedRequest,
  actual: RecordedRequest,
  ignore: readonly string[] = [],
): readonly Difference[] => {
  const patterns = ignore.map(toSteps);
  const out: Difference[] = [];
  compare(prune(toTree(expected), [], patterns), prune(toTree(actual), [], patterns), [], out);
  return out;
};

/** The exchange, of those given, that differs least. */
export const findNearest = (
  exchanges: readonly Exchange[],
  actual: RecordedRequest,
  ignore: readonly string[],
): { readonly exchange: Exchange; readonly differences: readonly Difference[] } | undefined => {
  let nearest: ReturnType<typeof findNearest>;
  for (const exchange of exchanges) {
    const differences = compareRequests(exchange.request, actual, ignore);
    if (nearest === undefined || differences.length < nearest.differences.length) {
      nearest = { exchange, differences };
    }
    if (differences.length === 0) break;
  }
  return nearest;
};

const mostShown = 20;

/** Field, expected and actual, one under the other. */
export const describeDifferences = (differences: readonly Difference[]): string => {
  const shown = differences
    .slice(0, mostShown)
    .map(
      ({ field, expected, actual }) =>
        `  ${field}\n    expected ${expected ?? "(absent)"}\n    actual   ${actual ?? "(absent)"}`,
    );
  const more = differences.length - shown.length;
  return [...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
};

const toTree = (request: RecordedRequest): Tree => {
  const { origin, hostname, pathname, searchParams } = new URL(request.url);
  const query = new Map<string, string[]>();
  for (const [name, value] of searchParams) query.set(name, [...(query.get(name) ?? []), value]);
  const body = readBody(request);
  return {
    method: request.method,
    url: { origin: isLoopback(hostname) ? "http://loopback" : origin, path: pathname },
    query: Object.fromEntries(
      [...query].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
    ),
    headers: readHeaders(request.headers),
    ...(body !== undefined && { body }),
  };
};

// A server on loopback has another port on every run.
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");

// What a client accepts does not change what it says, and clients differ in the charset they name.
const readHeaders = (headers: RecordedRequest["headers"]): Tree =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== "accept")
      .map(([name, value]) => [
        name,
        name === "content-type" ? (value.split(";")[0] ?? "").trim().toLowerCase() : value,
      ]),
  );

const readBody = ({ json, text, base64 }: RecordedRequest): unknown => {
  if (json !== undefined) return json;
  if (text === undefined) return base64;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const toSteps = (pattern: string): readonly string[] =>
  pattern.replaceAll(/\[(\d+|\*)\]/g, ".$1").split(".");

const isIgnored = (path: readonly string[], pattern: readonly string[]): boolean => {
  const [step, ...rest] = pattern;
  if (step === undefined) return path.length === 0;
  if (step === "**") {
    return path.some((_, index) => isIgnored(path.slice(index), rest)) || isIgnored([], rest);
  }
  return path.length > 0 && (step === "*" || step === path[0]) && isIgnored(path.slice(1), rest);
};

const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Takes the ignored fields out; an object inside the body that held nothing else goes with them. */
const prune = (
  value: unknown,
  path: readonly string[],
  patterns: readonly (readonly string[])[],
): unknown => {
  if (patterns.length === 0) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => prune(item, [...path, String(index)], patterns) ?? null);
  }
  if (!isTree(value)) return value;
  const kept: (readonly [string, unknown])[] = [];
  let dropped = false;
  for (const [key, member] of Object.entries(value)) {
    const at = [...path, key];
    const pruned = patterns.some((pattern) => isIgnored(at, pattern))
      ? undefined
      : prune(member, at, patterns);
    if (pruned === undefined) dropped = true;
    else kept.push([key, pruned]);
  }
  return dropped && kept.length === 0 && path.length > 1 ? undefined : Object.fromEntries(kept);
};

const compare = (
  expected: unknown,
  actual: unknown,
  path: readonly string[],
  out: Difference[],
): void => {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    for (let index = 0; index < length; index += 1) {
      compare(expected[index], actual[index], [...path, `[${index}]`], out);
    }
  } else if (isTree(expected) && isTree(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      compare(own(expected, key), own(actual, key), [...path, key], out);
    }
  } else if (!Object.is(expected, actual)) {
    out.push({
      field: path.join(".").replaceAll(".[", "["),
      ...(expected !== undefined && { expected: shorten(expected, actual) }),
      ...(actual !== undefined && { actual: shorten(actual, expected) }),
    });
  }
};

const own = (tree: Tree, key: string): unknown =>
  Object.hasOwn(tree, key) ? tree[key] : undefined;

const mostCharacters = 200;

/** Of a long value, the neighbourhood of the first character that differs. */
const shorten = (value: unknown, other: unknown): string => {
  const text = JSON.stringify(value);
  if (text.length <= mostCharacters) return text;
  const compared = other === undefined ? "" : JSON.stringify(other);
  let same = 0;
  while (same < compared.length && text[same] === compared[same]) same += 1;
  const start = Math.max(0, same - 40);
  const end = start + mostCharacters;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
};
