import type { ToolResultPart, UserPart } from "../types/message.ts";
import { quoteResult } from "../wire/common/quoted-result.ts";

/** The words that stand for a result; pictures in it stay pictures. */
export function resultAsText({
  name,
  callId,
  isError,
  output,
}: ToolResultPart): readonly UserPart[] {
  const parts: readonly UserPart[] =
    typeof output === "string" ? [{ type: "text", text: output }] : output;
  const words = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const tool = { name, callId, failed: isError === true };
  return [
    { type: "text", text: quoteResult(tool, words.join("\n")) },
    ...parts.filter((part) => part.type !== "text"),
  ];
}
