import { MullError } from "mull";

/** What a store accepts. Engines acknowledge larger writes without making them. */
export const storeLimits: { readonly jsonDepth: number; readonly rowBytes: number } = {
  jsonDepth: 512,
  rowBytes: 16 * 1024 * 1024,
};

/**
 * The JSON text of a value to store. Refuses values that are nested too deep or too large, and
 * names `field`. NULs and lone surrogates become escapes.
 */
export function encodeJson(field: string, value: unknown): string {
  checkDepth(field, value);
  return encodeShallow(field, value);
}

/** The same for a value whose depth was checked. */
export function encodeShallow(field: string, value: unknown): string {
  const text = JSON.stringify(value);
  // A character takes at most three bytes, so most texts need no counting.
  const bytes = text.length * 3 > storeLimits.rowBytes ? Buffer.byteLength(text) : 0;
  if (bytes > storeLimits.rowBytes) {
    throw refusal(field, `takes ${bytes} bytes; at most ${storeLimits.rowBytes} fit`, "too_large");
  }
  return text;
}

/** Refuses what `JSON.stringify` and the engines can't handle. */
export function checkDepth(field: string, value: unknown): void {
  if (!isDeeperThan(value, storeLimits.jsonDepth)) return;
  throw refusal(field, `is nested deeper than ${storeLimits.jsonDepth} levels`, "too_deep");
}

/** Walks level by level, so that a deep value can't overflow the stack. */
export function isDeeperThan(root: unknown, limit: number): boolean {
  let row: readonly unknown[] = typeof root === "object" && root !== null ? [root] : [];
  for (let depth = 0; row.length > 0; depth++) {
    if (depth >= limit) return true;
    const next: unknown[] = [];
    for (const value of row) {
      for (const child of Object.values(value as object) as unknown[]) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    row = next;
  }
  return false;
}

const refusal = (field: string, what: string, code: string): MullError =>
  new MullError(`${field} ${what}. Nothing was stored; shorten it and send it again.`, {
    category: "invalid_argument",
    status: 413,
    code,
    field,
  });
