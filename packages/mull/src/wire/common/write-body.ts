import type { JsonObject, JsonValue } from "../../types/json.ts";
import type { Message, ToolCallPart } from "../../types/message.ts";
import { inputTextOf } from "./tool-input.ts";

/** Levels from a Gemini answer down to the arguments: candidates, candidate, content, parts, part, call, arguments. */
const deepestInput = 7;

/**
 * Writes a body as JSON. Arguments of calls are written as they arrived, where they stand in the body
 * as the object they were read into; those that a repair changed are another object.
 */
export function writeBody(body: JsonObject, messages: readonly Message[]): string {
  const calls = new Map<unknown, ToolCallPart>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === "tool-call" && part.inputText !== undefined) calls.set(part.input, part);
    }
  }
  return calls.size === 0 ? JSON.stringify(body) : splice(body, calls, "\uE000");
}

/** Writes `mark` in place of each call's arguments, then replaces the marks by the texts. If the body itself holds the mark, a longer one is used. */
function splice(body: JsonObject, calls: ReadonlyMap<unknown, ToolCallPart>, mark: string): string {
  const texts: string[] = [];
  const swap = (value: JsonValue | undefined, depth: number): JsonValue | undefined => {
    if (typeof value !== "object" || value === null) return value;
    const call = calls.get(value);
    const text = call === undefined ? undefined : inputTextOf(call);
    if (text !== undefined) {
      texts.push(text);
      return mark;
    }
    if (depth === deepestInput) return value;
    return Array.isArray(value)
      ? value.map((item: JsonValue) => swap(item, depth + 1) as JsonValue)
      : Object.fromEntries(
          Object.entries(value).map(([key, field]) => [key, swap(field, depth + 1)]),
        );
  };
  const pieces = JSON.stringify(swap(body, 0)).split(JSON.stringify(mark));
  if (pieces.length !== texts.length + 1) return splice(body, calls, `${mark}\uE000`);
  return pieces.map((piece, at) => piece + (texts[at] ?? "")).join("");
}
