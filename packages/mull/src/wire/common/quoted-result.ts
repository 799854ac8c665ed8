import type { JsonObject, JsonValue } from "../../types/json.ts";
import type { TextPart } from "../../types/message.ts";
import { asObjects } from "./json-reading.ts";

/** What is known about the tool of a quoted result. */
export interface QuotedTool {
  readonly name?: string | undefined;
  readonly callId?: string | undefined;
  readonly failed?: boolean;
}

const namedTool = ({ name, callId }: QuotedTool): string => {
  if (name) return `The tool ${name}`;
  return callId ? `The tool of call ${callId}` : "A tool";
};

/**
 * A tool's result as text of the user. Every service refuses a result whose call is missing, but what
 * a tool returned is never left out: the model may have acted on it.
 */
export const quoteResult = (tool: QuotedTool, output: string): string => {
  const verb = tool.failed ? "failed" : "returned";
  return /\S/.test(output)
    ? `${namedTool(tool)} ${verb}:\n"""\n${output}\n"""`
    : `${namedTool(tool)} ${verb} with no output.`;
};

/** A result in the format of a wire, quoted: its texts joined in one part of this type, then its other parts. */
export function quoteContent(
  tool: QuotedTool,
  content: JsonValue | undefined,
  type: string,
  wordsOf: (part: JsonObject) => string | undefined,
): readonly JsonObject[] {
  const parts = typeof content === "string" ? [{ type, text: content }] : asObjects(content);
  const words = parts.map(wordsOf).filter((text) => text !== undefined);
  const others = parts.filter((part) => wordsOf(part) === undefined);
  return [{ type, text: quoteResult(tool, words.join("\n")) }, ...others];
}

/** A block of a result that only its own wire knows: a `search_result` holds what the tool found. */
export const blockAsText = (block: JsonObject): TextPart => ({
  type: "text",
  text: JSON.stringify(block),
});
