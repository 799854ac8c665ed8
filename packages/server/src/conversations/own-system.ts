import type { JsonObject } from "mull";

/** The user's own system prompt, as a conversation or a turn stores it. */
export const ownSystem = (info: JsonObject): string | undefined =>
  typeof info["system"] === "string" && info["system"] !== "" ? info["system"] : undefined;

/** The server's system prompt, then the user's own for this conversation. */
export function wholeSystem(ofServer: string | undefined, info: JsonObject): string | undefined {
  const both = [ofServer, ownSystem(info)].filter((text) => text !== undefined);
  return both.length === 0 ? undefined : both.join("\n\n");
}
