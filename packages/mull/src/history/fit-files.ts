import type { FilePart, TextPart } from "../types/message.ts";
import type { HistoryChange } from "../types/plan.ts";
import type { PrepareTarget } from "./prepare.ts";

/**
 * Puts a line of text in the place of files the target does not take, so that a switch to a model
 * without eyes does not end the conversation. Returns the list given when nothing had to change.
 */
export function fitFiles<P extends { readonly type: string }>(
  parts: readonly P[],
  target: PrepareTarget,
  message: number,
  changes: HistoryChange[],
): readonly (P | TextPart)[] {
  if (target.model.files === undefined || !parts.some((part) => part.type === "file")) return parts;
  let changed = false;
  const fitted = parts.map((part, index): P | TextPart => {
    if (part.type !== "file" || isTaken(part as unknown as FilePart, target)) return part;
    changed = true;
    const detail = "this model does not take it";
    changes.push({ code: "file-omitted", message, part: index, detail });
    return { type: "text", text: placeholder(part as unknown as FilePart) };
  });
  return changed ? fitted : parts;
}

function isTaken(part: FilePart, target: PrepareTarget): boolean {
  const { files } = target.model;
  if (part.mediaType.startsWith("image/")) return files?.images === true;
  return part.mediaType !== "application/pdf" || files?.pdf === true;
}

const placeholder = (part: FilePart): string =>
  `[${part.name ?? part.mediaType}: a file this model does not take]`;
