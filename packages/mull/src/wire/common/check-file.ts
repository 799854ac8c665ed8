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
  const { mediaType, source, name } = file;
  const which = name === undefined ? "" : ` (${name})`;
  const message = `${at}${which}: ${model.id} takes no ${mediaType} file given as ${source.type}`;
  const fix = "send the file in another form, leave it out, or choose a model that reads it";
  throw wrongArgument(message, at, { fix });
}
