import type { Reply } from "../types/event.ts";
import type { Receipt } from "../types/plan.ts";
import type { ChatResult } from "./chat.ts";

/** A whole answer as programs want it. */
export function summarise(
  reply: Reply,
  receipt: Receipt,
  timing: ChatResult["timing"],
): ChatResult {
  const { parts } = reply.message;
  const texts = parts.filter((part) => part.type === "text");
  const refusal = texts
    .filter((part) => part.refusal)
    .map((part) => part.text)
    .join("");
  const { cost } = receipt;
  return {
    ...reply,
    text: texts
      .filter((part) => !part.refusal)
      .map((part) => part.text)
      .join(""),
    thinking: parts
      .flatMap((part) => (part.type === "thinking" && part.text !== "" ? [part.text] : []))
      .join("\n\n"),
    ...(refusal !== "" && { refusal }),
    toolCalls: parts.filter((part) => part.type === "tool-call"),
    receipt,
    ...(cost !== undefined && { cost }),
    timing,
  };
}
