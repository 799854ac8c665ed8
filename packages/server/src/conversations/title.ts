import type { Message } from "mull";

const longest = 80;

/** The beginning of the first question. */
export function titleOf(messages: readonly Message[]): string {
  const first = messages.find((message) => message.role === "user");
  const said = first?.parts.find((part) => part.type === "text");
  const line = (said?.text ?? "").replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
}
