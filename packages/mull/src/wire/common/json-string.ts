/**
 * Where a JSON string ends that begins at `from`, just behind its opening quote: behind its closing
 * quote, or 0 when it does not end in `text`. Nothing around it is parsed, nothing is made.
 */
export function endOfJsonString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote >= 0 && isEscaped(text, from, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** What that string says; `undefined` where it has an escape that JSON does not know. */
export function valueOfJsonString(text: string, from: number, end: number): string | undefined {
  const raw = text.slice(from, end - 1);
  return raw.includes("\\") ? unescape(text.slice(from - 1, end)) : raw;
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
