import type { JsonObject, JsonValue } from "mull";
import { isJsonObject } from "mull/wire";

/** A string of a body that contains a tag, and whether it is in a field for thinking. */
export interface Tagged {
  readonly text: string;
  readonly isThinking: boolean;
}

/** Fields that hold nothing but thinking, seals or ids on one of the wires. */
const thinkingFields: ReadonlySet<string> = new Set([
  "thinking",
  "signature",
  "data",
  "id",
  "encrypted_content",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
  "thoughtSignature",
]);

const isThinkingObject = (value: JsonObject): boolean =>
  value["thought"] === true || value["type"] === "summary_text" || value["type"] === "thinking";

/** Every string of a body with this tag in it, in the order they are sent. */
export function findTagged(body: JsonObject, tag: string): readonly Tagged[] {
  const found: Tagged[] = [];
  const walk = (value: JsonValue | undefined, isThinking: boolean): void => {
    if (typeof value === "string") {
      if (value.includes(tag)) found.push({ text: value, isThinking });
    } else if (Array.isArray(value)) {
      for (const item of value as readonly JsonValue[]) walk(item, isThinking);
    } else if (isJsonObject(value)) {
      const inside = isThinking || isThinkingObject(value);
      for (const [name, field] of Object.entries(value)) {
        walk(field, inside || thinkingFields.has(name));
      }
    }
  };
  walk(body, false);
  return found;
}
