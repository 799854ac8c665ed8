import type { JsonValue } from "../../types/json.ts";
import { endOfBrackets, endOfJsonString } from "./json-reading.ts";
import { limits } from "./limits.ts";

/** The text of a value, if `JSON.stringify` would write a different one. Each text is given out once. */
export type ValueTexts = (value: JsonValue | undefined) => string | undefined;

/**
 * Finds the objects under `key` in a JSON text that was parsed: numbers such as `1.0` and keys that
 * come twice are lost in the value. White space and escapes are the envelope's and do not count.
 */
export function valueTexts(json: string, key: string): ValueTexts {
  const found = objectsUnder(json, JSON.stringify(key)).map((text) => {
    const usual = JSON.stringify(JSON.parse(text));
    return { exact: text === usual ? usual : compact(text), usual };
  });
  if (found.every(({ exact, usual }) => exact === usual)) return () => undefined;
  return (value) => {
    const usual = JSON.stringify(value);
    const at = found.findIndex((text) => text.usual === usual);
    const text = at < 0 ? undefined : found.splice(at, 1)[0];
    return text?.exact === usual ? undefined : text?.exact;
  };
}

function objectsUnder(json: string, quotedKey: string): readonly string[] {
  const texts: string[] = [];
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at)) {
    const behind = endOfJsonString(json, at + 1);
    if (behind === 0) break;
    const isKey = json.slice(at, behind) === quotedKey;
    const start = isKey
      ? (/^\s*:\s*(?=\{)/.exec(json.slice(behind, behind + 64))?.[0].length ?? 0)
      : 0;
    const end = start > 0 ? endOfBrackets(json, behind + start, limits.jsonDepth) : 0;
    if (end > 0) texts.push(json.slice(behind + start, end));
    at = Math.max(behind, end);
  }
  return texts;
}

/** Without white space, and with strings as `JSON.stringify` writes them. */
function compact(json: string): string {
  let text = "";
  let at = 0;
  for (let quote = json.indexOf('"'); quote >= 0; quote = json.indexOf('"', at)) {
    const behind = endOfJsonString(json, quote + 1);
    text += json.slice(at, quote).replace(/\s+/g, "");
    text += JSON.stringify(JSON.parse(json.slice(quote, behind)));
    at = behind;
  }
  return text + json.slice(at).replace(/\s+/g, "");
}
