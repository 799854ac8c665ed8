import type { WireId } from "mull";
import { wireIds } from "mull/wire";

import { nearest } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";
import { wireNames } from "../frame/wire-names.ts";

/** The ways people write a wire: its id, or the vendor it is named for. */
export const wireWords: ReadonlyMap<string, WireId> = new Map(
  wireNames.flatMap((word) =>
    wireIds.filter((id) => id === word || id.startsWith(`${word}-`)).map((id) => [word, id]),
  ),
);

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
