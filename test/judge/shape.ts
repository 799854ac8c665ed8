import type { JsonValue } from "mull";

/** Fields whose text no vendor's type looks at: any text is as good as another. */
const freeText: ReadonlySet<string> = new Set(
  (
    "text thinking content output refusal instructions description title model arguments " +
    "signature data encrypted_content thoughtSignature id call_id tool_use_id tool_call_id " +
    "item_id responseId modelVersion delta partial_json file_id user user_id url image_url file_url fileUri file_data filename prompt_cache_key"
  ).split(" "),
);

/**
 * What a type can tell of a value: two values of one shape are both taken or both refused. Items
 * of a list that look the same count once.
 */
export function shapeOf(value: JsonValue, field = ""): string {
  if (typeof value === "string") return freeText.has(field) ? "text" : JSON.stringify(value);
  if (typeof value === "number") return "0";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value))
    return `[${[...new Set(value.map((item: JsonValue) => shapeOf(item)))].join()}]`;
  return `{${Object.entries(value as Readonly<Record<string, JsonValue>>)
    .map(([name, member]) => `${name}:${shapeOf(member, name)}`)
    .join()}}`;
}
