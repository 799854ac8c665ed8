import type { AssistantMessage, FilePart, TextPart, WireId } from "../types/message.ts";
import { nextAssistant, type Compilation } from "./compilation.ts";
import type { PrepareTarget } from "./prepare.ts";

/**
 * Puts a line of text in the place of files the target does not take, so that a switch to a model
 * without eyes does not end the conversation. Returns the list given when nothing had to change.
 */
export function fitFiles<P extends { readonly type: string }>(
  parts: readonly P[],
  message: number,
  run: Compilation,
): readonly (P | TextPart)[] {
  if (!parts.some((part) => part.type === "file")) return parts;
  let changed = false;
  const fitted = parts.map((part, index): P | TextPart => {
    if (part.type !== "file") return part;
    const file = part as unknown as FilePart;
    const detail = whyOmitted(file, message, run);
    if (detail === undefined) return part;
    changed = true;
    run.changes.push({ code: "file-omitted", message, part: index, detail });
    return { type: "text", text: placeholder(file) };
  });
  return changed ? fitted : parts;
}

function whyOmitted(part: FilePart, message: number, run: Compilation): string | undefined {
  const { target } = run;
  const { files } = target.model;
  const kind = kindOf(part, target.wire);
  if (
    (kind !== "document" && files?.images === false) ||
    (kind === "document" && files?.pdf === false) ||
    !takenBy[target.wire](part, kind, target)
  )
    return "this model does not take it";
  const keeper = isStored(part.source) ? keeperOf(message, run) : undefined;
  return keeper && `only ${keeper} can open it, whose store it lies in`;
}

/** Kept by a service for its customer: nobody else can open it. Gemini names its files by address. */
const isStored = (source: FilePart["source"]): boolean =>
  source.type === "id" ||
  (source.type === "url" && /^(?:gs:|https:\/\/generativelanguage\.)/.test(source.url));

/**
 * Who else keeps the files that a message names: who answered it, or who called the tool
 * that gave them. A question nobody has answered yet is meant for the target.
 */
function keeperOf(message: number, { messages, target }: Compilation): string | undefined {
  const answer = messages[nextAssistant(messages, message + 1)];
  const { origin } = (answer ?? messages[message]) as Partial<AssistantMessage>;
  const isTarget =
    origin === undefined ||
    origin.provider === target.provider ||
    origin.endpoint === (target.endpoint ?? "");
  return isTarget ? undefined : origin.provider;
}

/** `other` is sound and film: a model that sees no pictures takes neither. */
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
