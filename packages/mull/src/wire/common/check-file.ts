import { wrongArgument } from "../../types/error.ts";
import type { FilePart } from "../../types/message.ts";
import type { EncodeTarget, WireTraits } from "../../types/wire.ts";

/** Refuses a file that a format has no place for. `prepare` replaces those of a conversation; other callers are told which one it is. */
export function checkFile(
  file: FilePart,
  at: string,
  { takesFile }: WireTraits,
  { model, quirks }: EncodeTarget,
): void {
  if (takesFile?.(file, quirks) !== false) return;
  const message = `${at}: ${model.id} takes no ${file.mediaType} given as ${file.source.type}`;
  throw wrongArgument(message, at, { fix: "send another form or leave it out" });
}
