import type { Message } from "mull";

const longest = 80;

/** The beginning of the first question; the name of its file where it has no words. */
export function titleOf(messages: readonly Message[]): string {
  const first = messages.find((message) => message.role === "user");
  const said = first?.parts.find((part) => part.type === "text");
  const file = first?.parts.find((part) => part.type === "file");
  const line = (said?.text || file?.name || "").replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
}
