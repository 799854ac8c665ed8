/**
 * Reads a JSON string that begins at `from` (just behind its opening quote) without parsing the
 * text around it. Returns the value and the index behind the closing quote, or `undefined` when
 * the string does not end in `text` or has an escape that JSON does not know.
 */
export function readJsonString(
  text: string,
  from: number,
): { readonly value: string; readonly end: number } | undefined {
  let quote = text.indexOf('"', from);
  if (quote < 0) return undefined;
  const backslash = text.indexOf("\\", from);
  if (backslash < 0 || backslash > quote) return { value: text.slice(from, quote), end: quote + 1 };
  while (isEscaped(text, from, quote)) {
    quote = text.indexOf('"', quote + 1);
    if (quote < 0) return undefined;
  }
  const value = unescape(text.slice(from - 1, quote + 1));
  return value === undefined ? undefined : { value, end: quote + 1 };
}

function unescape(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

/** A quote is escaped when an odd number of backslashes stands before it. */
function isEscaped(text: string, from: number, quote: number): boolean {
  let slashes = 0;
  for (let i = quote - 1; i >= from && text.charCodeAt(i) === 92; i--) slashes++;
  return slashes % 2 === 1;
}
