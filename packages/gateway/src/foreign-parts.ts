import type { JsonObject, Message, Note, Part, TextPart, ToolResultPart, WireId } from "mull";
import { isJsonObject } from "mull/wire";

/** A conversation for another vendor, and what it had to lose. */
interface ForeignParts {
  readonly messages: readonly Message[];
  readonly notes: readonly Note[];
}

/** Blocks that say nothing: settings, and lists of tools that are read elsewhere. */
const silent: ReadonlySet<string> = new Set([
  "additional_tools",
  "effort-update",
  "message-fields",
]);

/**
 * Writes the blocks that only the client's own vendor reads as text, where they hold any: what a
 * search found, a document in pieces. The others are left out, and named.
 */
export function readForeignParts(messages: readonly Message[], wire: WireId): ForeignParts {
  const lost = new Set<string>();
  const read = <P extends Part>(part: P): P | TextPart => {
    if (part.type !== "opaque") return part;
    const known = readBlock(part.data);
    if (known === undefined && !silent.has(part.kind)) lost.add(part.kind || keyOf(part.data));
    return known ?? part;
  };
  const told = messages.map((message): Message => {
    switch (message.role) {
      case "assistant":
        return { ...message, parts: message.parts.map(read) };
      case "user":
        return { ...message, parts: message.parts.map(read) };
      case "tool":
        return { ...message, parts: message.parts.map((part) => readResult(part, lost)) };
      case "system":
        return message;
      default:
        return message satisfies never;
    }
  });
  if (lost.size === 0) return { messages: told, notes: [] };
  const kinds = [...lost].join(", ");
  const text = `only ${wire} has these parts, so they were left out of the conversation: ${kinds}`;
  return {
    messages: told,
    notes: [{ code: "parts-dropped", severity: "warning", message: text }],
  };
}

/** Google names a part by its key. */
const keyOf = (data: JsonObject): string => Object.keys(data)[0] ?? "";

/** A result with blocks that only Claude reads has the whole list beside what every model reads. */
function readResult(part: ToolResultPart, lost: Set<string>): ToolResultPart {
  const blocks = part.extra?.fields["content"];
  if (!Array.isArray(blocks) || typeof part.output === "string") return part;
  const common = [...part.output];
  const output = blocks.filter(isJsonObject).flatMap((block) => {
    const known = readBlock(block);
    if (known !== undefined) return [known];
    const { type } = block;
    if (type === "text" || type === "image" || type === "document") return common.splice(0, 1);
    lost.add(asText(type));
    return [];
  });
  return { ...part, output };
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The texts of a list of blocks, or the text itself. */
const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter(isJsonObject).map(({ text }) => asText(text))
    : [asText(value)];

/** What a block says in words; `undefined` if that is nothing. */
function readBlock(block: JsonObject): TextPart | undefined {
  const lines = linesOf(block).filter((line) => line !== "");
  return lines.length === 0 ? undefined : { type: "text", text: lines.join("\n") };
}

function linesOf({ type, title, source, content, ...rest }: JsonObject): readonly string[] {
  switch (asText(type)) {
    case "search_result":
      return [asText(title), asText(source), ...textsIn(content)];
    case "document":
      return isJsonObject(source) ? textsIn(source["content"]) : [];
    // Claude Code's search for tools returns their names.
    case "tool_reference":
      return [`The tool ${asText(rest["tool_name"])} is available.`];
    case "message":
      return textsIn(content);
    case "":
      return [asText(rest["text"])];
    default:
      return [];
  }
}
