/** The beginning of the readable text of an HTML page, as proxies send for errors. */
export function plainText(body: string): string {
  const text = body
    .slice(0, 20_000)
    .replace(/<(script|style)\b[^]*?(?:<\/\1\s*>|$)|<[^>]*>?/gi, " ")
    // Control characters too: a terminal must not see them.
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
