import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { asText } from "../parts.ts";
import {
  betasOf,
  blocksOf,
  defineRule,
  faultIf,
  object,
  objects,
  without,
  type Fault,
} from "./request-view.ts";

/** Blocks and tools of other APIs; what is newer than a list is not for us to refuse. */
const foreignBlocks: ReadonlySet<string> = new Set([
  "image_url",
  "input_text",
  "input_image",
  "input_file",
  "input_audio",
  "output_text",
  "file",
]);

const blockTags =
  "'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'thinking', 'tool_result', 'tool_use', 'web_search_tool_result'";
const toolTags =
  "'bash_20250124', 'custom', 'text_editor_20250124', 'text_editor_20250429', 'text_editor_20250728', 'web_search_20250305'";

const unexpectedTag = (path: string, tag: string, tags: string): Fault => ({
  path,
  message: `${path}: Input tag '${tag}' found using 'type' does not match any of the expected tags: ${tags}`,
});

interface PlacedImage {
  readonly path: string;
  readonly source: JsonObject;
}

/** Images of a block, those inside a tool's result included. */
const imagesIn = (block: JsonObject, path: string): readonly PlacedImage[] => {
  if (block["type"] === "image") return [{ path, source: object(block["source"]) }];
  if (block["type"] !== "tool_result") return [];
  return objects(block["content"]).flatMap((inner, at) =>
    imagesIn(inner, `${path}.tool_result.content.${at}`),
  );
};

const mediaTypes: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
]);

/** Measured on the text in base64, not on the bytes of the picture. */
const largestImage = 10 * 1024 * 1024;

function imageFaults({ path, source }: PlacedImage): readonly Fault[] {
  if (source["type"] !== "base64") return [];
  const at = `${path}.image.source.base64`;
  const { length } = asText(source["data"]);
  return [
    ...faultIf(
      !mediaTypes.has(asText(source["media_type"])),
      `${at}.media_type`,
      `${at}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    ),
    ...faultIf(
      length > largestImage,
      at,
      `${at}: image exceeds 10 MB maximum: ${length} bytes > ${largestImage} bytes`,
    ),
  ];
}

/** Every beta ends in its date, `claude-code-20250219` too. Which still exist only the service knows. */
const strangeBetas = (input: RuleInput): readonly string[] =>
  betasOf(input).filter((beta) => beta !== "" && !/-\d{4}-?\d{2}-?\d{2}$/.test(beta));

export const contentRules: readonly Rule[] = [
  defineRule({
    id: "anthropic/beta-name",
    summary: "Betas are named with their date.",
    fix: "Spell the beta as the documentation does, or leave it out.",
    find: (input) => {
      const names = strangeBetas(input).map((beta) => `\`${beta}\``);
      return faultIf(
        names.length > 0,
        "anthropic-beta",
        `Unexpected value(s) ${names.join(", ")} for the \`anthropic-beta\` header. Please consult our documentation at docs.anthropic.com or try again without the header.`,
      );
    },
  }),
  defineRule({
    id: "anthropic/block-type",
    summary: "Blocks are of a type the Messages API has, not of another API's.",
    fix: "Write it as Claude's own block: `text`, `image`, `document`.",
    find: ({ body }) =>
      blocksOf(body)
        .filter(({ type }) => foreignBlocks.has(type))
        .map(({ path, type }) => unexpectedTag(path, type, blockTags)),
  }),
  defineRule({
    id: "anthropic/tool-type",
    about: ["tools"],
    summary:
      "A tool of one's own has `name` and `input_schema` at its top, and no type `function`.",
    fix: "Leave `type` out and move what is in `function` up.",
    find: ({ body }) =>
      objects(body["tools"]).flatMap(({ type }, at) =>
        type === "function" ? [unexpectedTag(`tools.${at}`, type, toolTags)] : [],
      ),
  }),
  defineRule({
    id: "anthropic/image",
    summary: "Images are JPEG, PNG, GIF or WebP and at most 10 MB in base64.",
    fix: "Convert the image, or make it smaller.",
    find: ({ body }) =>
      blocksOf(body).flatMap(({ block, path }) => imagesIn(block, path).flatMap(imageFaults)),
  }),
  defineRule({
    id: "anthropic/stream-flag",
    summary: "`stream` is true or false.",
    repairSummary: "leaves `stream` out",
    find: ({ body }) =>
      faultIf(
        body["stream"] !== undefined && typeof body["stream"] !== "boolean",
        "stream",
        "stream: Input should be a valid boolean",
      ),
    repair: ({ body }) => without(body, "stream"),
  }),
];
