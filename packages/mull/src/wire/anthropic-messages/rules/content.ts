import type { JsonObject } from "../../../types/json.ts";
import { isStrangeBeta } from "./betas.ts";
import { asObject, asObjects, asText } from "../../common/json-reading.ts";
import { fault, type RuleFault, type RuleTable } from "../../common/rules/define-rule.ts";
import {
  faultAt,
  atPath,
  betasOf,
  messagesOf,
  blocksOf,
  mapBlocks,
  type ViewedMessage,
} from "./view.ts";

interface PlacedFile {
  readonly type: string;
  readonly path: string;
  readonly source: JsonObject;
}

/** Files of a block in base64, those inside a tool's result included. */
const filesIn = (block: JsonObject, path: string): readonly PlacedFile[] => {
  if (block["type"] === "tool_result") {
    return asObjects(block["content"]).flatMap((inner, at) =>
      filesIn(inner, `${path}.tool_result.content.${at}`),
    );
  }
  const source = asObject(block["source"]);
  return source["type"] === "base64" ? [{ type: asText(block["type"]), path, source }] : [];
};

const textAtEnd = ({ blocks }: ViewedMessage): string => {
  const last = blocks.at(-1);
  return last?.type === "text" ? asText(last.block["text"]) : "";
};

/** How a file of each type begins, in base64: the service looks at the bytes, not at the name. */
const imageStarts: ReadonlyMap<string, RegExp> = new Map([
  ["image/jpeg", /^\/9j\//],
  ["image/png", /^iVBORw0KGg/],
  ["image/gif", /^R0lGOD/],
  ["image/webp", /^UklGR.{8}V0VC/],
]);

/** Base64 may be broken into lines. The trap: `data:image/png;base64,…` and `./cat.png` are not base64, because of the colon and the dot. */
const isBase64 = (data: string): boolean => {
  const bare = data.includes("\n") ? data.replaceAll(/\s/g, "") : data;
  return bare.length % 4 !== 1 && /^[A-Za-z\d+/]*={0,2}$/.test(bare);
};

/** Measured on the text in base64, not on the bytes of the picture. */
const largestImage = 10 * 1024 * 1024;

/** The first thing the service finds wrong with an image. */
function imageFault({ path, source }: PlacedFile): RuleFault | undefined {
  const at = `${path}.image.source.base64`;
  const data = asText(source["data"]);
  const mediaType = asText(source["media_type"]);
  const start = imageStarts.get(mediaType);
  if (start === undefined) {
    const types = "'image/jpeg', 'image/png', 'image/gif' or 'image/webp'";
    return faultAt(`${at}.media_type`, `Input should be ${types}`);
  }
  if (data === "") return faultAt(at, "image cannot be empty");
  if (data.length > largestImage) {
    return faultAt(at, `image exceeds 10 MB maximum: ${data.length} bytes > ${largestImage} bytes`);
  }
  if (!isBase64(data)) return faultAt(at, "invalid base64 data");
  const others = [...imageStarts.values()].filter((other) => other !== start);
  return others.some((other) => other.test(data))
    ? faultAt(`${at}.data`, `Image does not match the provided media type ${mediaType}`)
    : undefined;
}

/** Checks that it is base64 and begins like a PDF; the pages are not read. */
function pdfFault({ path, source }: PlacedFile): RuleFault | undefined {
  const data = asText(source["data"]);
  if (isBase64(data) && data.startsWith("JVBERi")) return undefined;
  return faultAt(`${path}.pdf.source.base64.data`, "The PDF specified was not valid.");
}

const fileFault = (file: PlacedFile): RuleFault | undefined =>
  file.type === "image" ? imageFault(file) : file.type === "document" ? pdfFault(file) : undefined;

export const contentRules: RuleTable = {
  "anthropic/beta-name": {
    summary: "Betas are named with a date, and the date must be one that exists.",
    fix: "Spell the beta as the documentation does, or leave it out.",
    find: (input) => {
      const strange = betasOf(input).filter((beta) => beta !== "" && isStrangeBeta(beta));
      const names = strange.map((beta) => `\`${beta}\``).join(", ");
      const message = `Unexpected value(s) ${names} for the \`anthropic-beta\` header. Please consult our documentation at docs.anthropic.com or try again without the header.`;
      return strange.length > 0 && fault("anthropic-beta", message);
    },
  },
  "anthropic/tool-union": {
    summary: "The arguments of a tool are one object, not a union of several.",
    says: atPath("input_schema does not support oneOf, allOf, or anyOf at the top level"),
    fix: "Put the fields of all alternatives into one object.",
    find: ({ body }) =>
      asObjects(body["tools"]).map((tool, at) => {
        const schema = asObject(tool["input_schema"]);
        const isUnion = ["oneOf", "allOf", "anyOf"].some((key) => schema[key] !== undefined);
        return isUnion && `tools.${at}.custom.input_schema`;
      }),
  },
  "anthropic/file": {
    summary:
      "Images are JPEG, PNG, GIF or WebP, are what their media type says, and have at most 10 MB; documents are PDF. Both are plain base64.",
    fix: "Convert the file, make it smaller, or send its bytes in base64 without `data:` in front.",
    find: ({ body }) =>
      blocksOf(body).flatMap(({ block, path }) =>
        filesIn(block, path).flatMap((file) => fileFault(file) ?? []),
      ),
  },
  "anthropic/trailing-space": {
    summary: "Text that the answer should start with doesn't end in white space.",
    says: "messages: final assistant content cannot end with trailing whitespace",
    repairSummary: "Remove the white space at the end.",
    when: ({ model }) => model.noPrefill !== true,
    find: ({ body }) => {
      const last = messagesOf(body).at(-1);
      return last?.role === "assistant" && /\s$/.test(textAtEnd(last)) && last.path;
    },
    repair: ({ body }) => {
      const end = messagesOf(body).at(-1)?.blocks.at(-1)?.path;
      return mapBlocks(body, ({ block, path, type }) =>
        path === end && type === "text"
          ? { ...block, text: asText(block["text"]).trimEnd() }
          : block,
      );
    },
  },
  "anthropic/stream-flag": {
    summary: "`stream` is true or false.",
    says: atPath("Input should be a valid boolean"),
    find: ({ body: { stream } }) => stream !== undefined && typeof stream !== "boolean" && "stream",
    drops: ["stream"],
  },
};
