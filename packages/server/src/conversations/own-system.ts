import type { JsonObject } from "mull";

/** What the user wants of every answer, as a conversation or a turn keeps it. */
export const ownSystem = (info: JsonObject): string | undefined =>
  typeof info["system"] === "string" && info["system"] !== "" ? info["system"] : undefined;

/** What the server says to every model, then what the user says to it in this conversation. */
export function wholeSystem(ofServer: string | undefined, info: JsonObject): string | undefined {
  const both = [ofServer, ownSystem(info)].filter((text) => text !== undefined);
  return both.length === 0 ? undefined : both.join("\n\n");
}
