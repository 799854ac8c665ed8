const patterns: readonly RegExp[] = [
  /\bsk-[\w-]{8,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bAQ\.[\w-]{20,}/g,
  /\bBearer\s+[\w.~+/-]{8,}=*/gi,
  /\bpostgres(?:ql)?:\/\/[^\s"']+/gi,
];

/** Takes known secrets out of a text by value, then what looks like one. */
export function createScrubber(secrets: readonly string[]): (text: string) => string {
  const values = secrets
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
    ])
    .filter((value) => value.length >= 6)
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const value of values) clean = clean.replaceAll(value, "[removed]");
    for (const pattern of patterns) clean = clean.replace(pattern, "[removed]");
    return clean;
  };
}
