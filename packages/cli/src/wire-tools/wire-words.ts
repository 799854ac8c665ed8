import type { WireId } from "mull";

import { nearest } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";

/** The ways people write a wire. */
export const wireWords: ReadonlyMap<string, WireId> = new Map([
  ["anthropic-messages", "anthropic-messages"],
  ["anthropic", "anthropic-messages"],
  ["openai-responses", "openai-responses"],
  ["openai-chat", "openai-chat"],
  ["google-generate", "google-generate"],
  ["google", "google-generate"],
]);

export function readWire(word: unknown): WireId {
  const wire = typeof word === "string" ? wireWords.get(word.toLowerCase()) : undefined;
  if (wire !== undefined) return wire;
  const known = [...wireWords.keys()];
  const meant = typeof word === "string" ? nearest(word, known) : undefined;
  throw new UsageError(
    word === undefined
      ? `Which wire? Add --wire, one of: ${known.join(" ")}`
      : `Unknown wire ${JSON.stringify(word)}. Wires: ${known.join(" ")}`,
    meant === undefined ? undefined : `Did you mean ${meant}?`,
  );
}
