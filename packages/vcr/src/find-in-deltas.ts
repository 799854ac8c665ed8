import type { SecretSpan } from "./find-secrets.ts";

// A model that says a key streams it in pieces, a few characters in each event. The bytes never
// contain the whole key, but the client joins it again.
const delta =
  /"(text|thinking|partial_json|delta|content|arguments|input|refusal|reasoning(?:_content|_text)?)"\s{0,4}:\s{0,4}"([^"\\]*(?:\\.[^"\\]*)*)"/g;

/** Server-sent events, or the objects Gemini streams in an array. */
const isStream = /(?:^|[\r\n])data:|"candidates"/;

interface Fragment {
  /** Its position in the bytes, and in the text joined from its field. */
  readonly at: number;
  readonly joinedAt: number;
  readonly length: number;
}

/**
 * Secrets in the joined deltas of a stream, at their places in the bytes: a span for each
 * fragment.
 */
export const findInDeltas = (
  bytes: string,
  from: number,
  find: (joined: string) => Iterable<SecretSpan>,
): readonly SecretSpan[] => {
  if (!isStream.test(bytes)) return [];
  return [...readFields(bytes, from).values()].flatMap(({ joined, fragments }) =>
    [...find(joined)].flatMap((span) => spread(span, fragments)),
  );
};

const spread = (span: SecretSpan, fragments: readonly Fragment[]): readonly SecretSpan[] => {
  const origin = fragments.findLast(({ joinedAt }) => joinedAt <= span.from);
  const from = origin === undefined ? 0 : origin.at + span.from - origin.joinedAt;
  const spans: SecretSpan[] = [];
  for (const { at, joinedAt, length } of fragments) {
    if (joinedAt >= span.end || joinedAt + length <= span.start) continue;
    const start = at + Math.max(0, span.start - joinedAt);
    const end = at + Math.min(length, span.end - joinedAt);
    const { kind } = span;
    spans.push(
      spans.length === 0 ? { kind, from, start, end } : { kind, from, start, end, isRest: true },
    );
  }
  return spans;
};

const readFields = (
  bytes: string,
  from: number,
): ReadonlyMap<string, { joined: string; readonly fragments: Fragment[] }> => {
  const fields = new Map<string, { joined: string; readonly fragments: Fragment[] }>();
  const search = new RegExp(delta);
  search.lastIndex = from;
  for (let match = search.exec(bytes); match !== null; match = search.exec(bytes)) {
    const [whole, name = "", text = ""] = match;
    if (text === "") continue;
    const field = fields.get(name) ?? { joined: "", fragments: [] };
    fields.set(name, field);
    const at = match.index + whole.length - 1 - text.length;
    field.fragments.push({ at, joinedAt: field.joined.length, length: text.length });
    field.joined += text;
  }
  return fields;
};
