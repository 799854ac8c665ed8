import type { FilePart, TextPart, WireId } from "../types/message.ts";
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
  if (!parts.some((part) => part.type === "file")) return parts;
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
  const kind = kindOf(part, target.wire);
  if (
    (kind === "image" && files?.images === false) ||
    (kind === "document" && files?.pdf === false)
  )
    return false;
  return takenBy[target.wire](part, kind, target);
}

type Kind = "image" | "document" | "other";

/** What is neither image nor sound counts as a document; Gemini reads text without counting it as one. */
function kindOf({ mediaType }: FilePart, wire: WireId): Kind {
  if (mediaType.startsWith("image/")) return "image";
  if (/^(?:audio|video)\//.test(mediaType)) return "other";
  return wire !== "google-generate" || mediaType === "application/pdf" ? "document" : "other";
}

const claudeTypes = /^(?:image\/(?:jpeg|png|gif|webp)|application\/pdf|text\/plain)$/;

/** What each format has a place for, whichever model is asked. */
const takenBy: Readonly<
  Record<WireId, (part: FilePart, kind: Kind, target: PrepareTarget) => boolean>
> = {
  "anthropic-messages": ({ mediaType, source }) =>
    claudeTypes.test(mediaType) || (mediaType === "image/*" && source.type !== "base64"),
  "openai-responses": (_, kind) => kind !== "other",
  "openai-chat": ({ mediaType, source }, kind, { quirks }) => {
    if (kind === "image") return source.type !== "id";
    if (mediaType.startsWith("audio/")) return source.type === "base64";
    return source.type !== "url" || quirks?.fileUrls === true;
  },
  "google-generate": () => true,
};

const placeholder = ({ name, mediaType }: FilePart): string =>
  `[${name ?? (mediaType || "file")}: a file this model does not take]`;
