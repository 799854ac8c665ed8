import { findInDeltas } from "./find-in-deltas.ts";
import { redacted, secretShapes } from "./secret-shapes.ts";

/** Where a secret is in a text. `from` is where its match began, kept prefix included. */
export interface SecretSpan {
  readonly kind: string;
  readonly from: number;
  readonly start: number;
  readonly end: number;
  /** A later fragment of a secret that is spread over the events of a stream. */
  readonly isRest?: true;
}

/** The replacement for a span: the fragments of one secret, joined, form one word again. */
export const replacementOf = ({ isRest }: SecretSpan): string => (isRest === true ? "" : redacted);

/**
 * Finds secrets in a text whose characters are bytes (`latin1`): so one character is one byte, and
 * text that is not UTF-8 is searched like any other. Spans are in order and do not overlap.
 */
export interface SecretFinder {
  readonly find: (bytes: string, from?: number) => readonly SecretSpan[];
  /** Adds values that are secret by themselves, in every form they can take. */
  readonly learn: (values: Iterable<string>) => void;
}

/** Shorter values are words: blotting them out everywhere would ruin the recording. */
const leastSecretLength = 8;

const asBytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

export const createSecretFinder = (secrets: Iterable<string> = []): SecretFinder => {
  const forms = new Set<string>();
  const spellings = new Map<string, RegExp>();
  const learn = (values: Iterable<string>): void => {
    for (const value of values) {
      for (const form of formsOf(value)) forms.add(form);
      const secret = value.trim();
      if (secret.length >= leastSecretLength) spellings.set(secret, anySpelling(secret));
    }
  };
  learn(secrets);
  function* findAll(bytes: string, from: number): Generator<SecretSpan> {
    for (const span of findValues(bytes, forms, from)) yield span;
    if (escapes.test(bytes)) for (const span of findSpelled(bytes, spellings, from)) yield span;
    for (const span of findShapes(bytes, from)) {
      if (bytes.slice(span.start, span.end) !== redacted) yield span;
    }
  }
  return {
    learn,
    find: (bytes, from = 0) => {
      const spread = findInDeltas(bytes, from, (joined) => merge([...findAll(joined, 0)]));
      const isInside = (span: SecretSpan): boolean =>
        spread.some(({ start, end }) => start <= span.start && end >= span.end);
      return merge([...[...findAll(bytes, from)].filter((span) => !isInside(span)), ...spread]);
    },
  };
};

function* findValues(bytes: string, forms: Iterable<string>, from: number): Generator<SecretSpan> {
  for (const form of forms) {
    let start = bytes.indexOf(form, from);
    while (start >= 0) {
      yield { kind: "known secret", from: start, start, end: start + form.length };
      start = bytes.indexOf(form, start + form.length);
    }
  }
}

/** A secret may be escaped: `\\u0073k-…` is read as `sk-…` by every parser of JSON. */
const escapes = /\\(?:u00|\/)|%[\da-f]{2}|&#/i;

const hexPattern = (hex: string): string =>
  hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** Each character as it is, escaped for JSON (also in JSON that is quoted in JSON), for an address or for HTML. */
const spellingsOf = (character: string): string => {
  const raw = asBytes(character);
  const plain = raw.replaceAll(/[$()*+./?[\\\]^{|}-]/g, "\\$&");
  const units = Array.from({ length: character.length }, (_, at) => {
    const code = character.charCodeAt(at).toString(16).padStart(4, "0");
    return `\\\\+u${hexPattern(code)}`;
  });
  const percent = Array.from(
    raw,
    (byte) => `%${hexPattern(byte.charCodeAt(0).toString(16).padStart(2, "0"))}`,
  );
  const code = character.codePointAt(0)!;
  const html = `&#(?:0*${code}|[xX]0*${hexPattern(code.toString(16))});`;
  return `(?:\\\\*${plain}|${units.join("")}|${percent.join("")}|${html})`;
};

const anySpelling = (secret: string): RegExp =>
  new RegExp(Array.from(secret, spellingsOf).join(""), "g");

function* findSpelled(
  bytes: string,
  spellings: ReadonlyMap<string, RegExp>,
  from: number,
): Generator<SecretSpan> {
  for (const pattern of spellings.values()) {
    const search = new RegExp(pattern);
    search.lastIndex = from;
    for (let match = search.exec(bytes); match !== null; match = search.exec(bytes)) {
      const start = match.index;
      yield { kind: "known secret", from: start, start, end: start + match[0].length };
    }
  }
}

function* findShapes(bytes: string, from: number): Generator<SecretSpan> {
  for (const { kind, pattern, hints } of secretShapes) {
    if (hints !== undefined && !hints.some((hint) => bytes.includes(hint))) continue;
    // A copy of its own: `lastIndex` is state, and two recordings may be searched in turns.
    const search = new RegExp(pattern);
    search.lastIndex = from;
    for (let match = search.exec(bytes); match !== null; match = search.exec(bytes)) {
      const start = match.index + (match[1]?.length ?? 0);
      yield { kind, from: match.index, start, end: match.index + match[0].length };
    }
  }
}

const merge = (spans: readonly SecretSpan[]): readonly SecretSpan[] => {
  const merged: SecretSpan[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
    } else {
      merged[merged.length - 1] = {
        ...last,
        from: Math.min(last.from, span.from),
        end: Math.max(last.end, span.end),
      };
    }
  }
  return merged;
};

const formsOf = (value: string): readonly string[] => {
  const secret = value.trim();
  if (secret.length < leastSecretLength) return [];
  const bytes = Buffer.from(secret, "utf8");
  const encoded = encodeURIComponent(secret);
  const forms = [
    secret,
    encoded,
    encoded.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...base64Forms(bytes),
  ];
  return forms.map(asBytes).filter((form) => form.length >= leastSecretLength);
};

// The base64 of a secret inside a longer value (`user:key`) depends on its position modulo three;
// the characters that it shares with its neighbours are left off.
function* base64Forms(bytes: Buffer): Generator<string> {
  for (const shift of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = shifted.length - (shifted.length % 3);
    const skipped = shift === 0 ? 0 : 4;
    for (const encoding of ["base64", "base64url"] as const) {
      yield shifted.subarray(0, whole).toString(encoding).slice(skipped);
    }
  }
}
