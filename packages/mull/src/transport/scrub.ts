export type Scrub = (text: string) => string;

const mask = "[redacted]";

/** Shorter values are words, not secrets: masking them would make every message unreadable. */
const shortestSecret = 6;

/** Keys, tokens and cookies by their looks: what a service quotes need not be a key of ours. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\bsk-[\w*-]{8,}/g, mask],
  [/\b(?:AIza|AQ\.|gsk_|xai-|hf_)[\w-]{10,}/g, mask],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${mask}`],
  [/([?&](?:key|api[-_]?key|access_token|token)=)[^&\s"'#]+/gi, `$1${mask}`],
  [/((?:api[-_]key|cookie)["']?\s?[:=]\s?["']?)[^\s"'[]{6,}/gi, `$1${mask}`],
];

/**
 * Takes secrets out of a text that leaves the library: first every form that the given values can
 * take (raw, URL-encoded, escaped in JSON, base64 at any offset), then what looks like a secret.
 */
export function createScrubber(secrets: readonly string[]): Scrub {
  // Made when the first text needs it: most requests never do.
  let forms: readonly string[] | undefined;
  return (text) => {
    let clean = text;
    forms ??= [...new Set(secrets.filter((one) => one.length >= shortestSecret).flatMap(formsOf))]
      // The longest first: a short form may be a piece of a long one.
      .toSorted((a, b) => b.length - a.length);
    for (const form of forms) clean = clean.replaceAll(form, mask);
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
    return clean;
  };
}

function formsOf(secret: string): readonly string[] {
  return [
    secret,
    // Half a surrogate pair cannot be URL-encoded.
    /[\uD800-\uDFFF]/.test(secret) ? secret : encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...[0, 1, 2].flatMap((offset) => base64At(secret, offset)),
  ];
}

/** The base64 digits that depend on nothing but the secret when `offset` bytes stand before it. */
function base64At(secret: string, offset: number): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const text = "\0".repeat(offset) + String.fromCharCode(...bytes);
  const digits = btoa(text).slice(
    Math.ceil((offset * 8) / 6),
    Math.floor(((offset + bytes.length) * 8) / 6),
  );
  return [digits, digits.replaceAll("+", "-").replaceAll("/", "_")];
}
