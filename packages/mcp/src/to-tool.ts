import { MullError, tool, type FilePart, type JsonObject, type TextPart, type Tool } from "mull";
import type { CallResult, McpLine, OfferedTool } from "./mcp-line.ts";

/** Longest description that is passed on: some servers write pages, and every request carries them. */
const mostDescribed = 2000;

/** A tool of a server as an agent runs it. */
export function toTool(
  line: McpLine,
  { name, description, inputSchema, annotations }: OfferedTool,
  taken: Set<string>,
): Tool {
  const { approval, timeoutMs } = line.server;
  const asks = approval === "always" || (approval === "writes" && !annotations?.readOnlyHint);
  return tool({
    name: nameFor(`${line.name}_${name}`, taken),
    ...(description !== undefined && { description: description.slice(0, mostDescribed) }),
    input: inputSchema as JsonObject,
    idempotent: annotations?.idempotentHint === true || annotations?.readOnlyHint === true,
    ...(asks && { needsApproval: true }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    run: async (input, { signal }) => {
      const result = await line.call(name, input, signal);
      const parts = partsOf(result);
      if (result.isError !== true) return readable(parts);
      throw new MullError(textOf(parts), { category: "unknown", code: "tool_failed" });
    },
  });
}

/** A name that every service takes, and no other tool has. */
function nameFor(wanted: string, taken: Set<string>): string {
  const plain = wanted.replaceAll(/[^A-Za-z0-9_-]/g, "_").replace(/^(?=[^A-Za-z_])/, "_");
  let name = plain.slice(0, 64);
  for (let next = 2; taken.has(name); next++) name = `${plain.slice(0, 60)}_${next}`;
  taken.add(name);
  return name;
}

type ContentPart = TextPart | FilePart;

/** Text stays text, pictures and sound become files, and what was given as data alone is written as JSON. */
function partsOf({ content, structuredContent }: CallResult): readonly ContentPart[] {
  const parts = content.map(partOf);
  return parts.length === 0 && structuredContent !== undefined
    ? [text(JSON.stringify(structuredContent))]
    : parts;
}

const text = (written: string): TextPart => ({ type: "text", text: written });

const file = (data: string, mediaType: string, name?: string): FilePart => ({
  type: "file",
  mediaType,
  source: { type: "base64", data },
  ...(name !== undefined && { name }),
});

function partOf(block: CallResult["content"][number]): ContentPart {
  switch (block.type) {
    case "text":
      return text(block.text);
    case "image":
    case "audio":
      return file(block.data, block.mimeType);
    case "resource_link":
      return text(`[${block.name}: ${block.uri}]`);
    case "resource": {
      const { resource } = block;
      return "text" in resource
        ? text(resource.text)
        : file(resource.blob, resource.mimeType ?? "application/octet-stream", resource.uri);
    }
    default:
      return text("[content of a kind that mull does not know]");
  }
}

const textOf = (parts: readonly ContentPart[]): string =>
  parts.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n") ||
  "(nothing)";

const readable = (parts: readonly ContentPart[]): string | readonly ContentPart[] =>
  parts.every(({ type }) => type === "text") ? textOf(parts) : parts;
