import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue } from "mull";

import { inputItems } from "./responses-state.ts";
import { listIn, objectIn, textIn, type ServiceExchange, type Refusal } from "./service.ts";

/** A file that is named by id instead of sent, and its place. */
interface Named {
  readonly id: string;
  readonly at: string;
}

interface Shelf {
  /** The providers whose file ids are known here; local servers and other hosts are left alone. */
  readonly provider: string;
  /** The turns of a request, and what the list is called. */
  readonly turns: (body: JsonObject) => readonly JsonValue[];
  readonly list: string;
  /** The field of a turn that holds its parts. */
  readonly parts: readonly string[];
  /** The id of the file that a part names, and the path to it inside the part. */
  readonly idIn: (part: JsonObject) => Named | undefined;
  readonly refuse: (named: Named) => Refusal;
}

const named = (value: JsonValue | undefined, at: string): Named | undefined =>
  typeof value === "string" && value !== "" ? { id: value, at } : undefined;

const refusal = (status: number, type: string, message: string, more = {}): Refusal => ({
  rule: "emulator/file",
  error: { status, type, message, ...more },
});

/** How OpenAI refuses an unknown id inside a request is not known. These are its words for an unknown id in a path. */
const refuseOpenai = ({ id, at }: Named): Refusal =>
  refusal(
    400,
    "invalid_request_error",
    `No such File object: ${id} (the mull emulator keeps no files)`,
    { param: at },
  );

/** Addresses of Google's file store. Any other address is fetched by the service, so it cannot be checked here. */
const googleFile = /^https:\/\/generativelanguage\.googleapis\.com\/v1\w*\/files\/([\w-]+)/;

const shelves: Readonly<Record<ServiceExchange["wire"], Shelf>> = {
  "anthropic-messages": {
    provider: "anthropic",
    turns: (body) => listIn(body["messages"]),
    list: "messages",
    parts: ["content"],
    idIn: (part) =>
      part["type"] === "container_upload"
        ? named(part["file_id"], "file_id")
        : named(objectIn(part["source"])["file_id"], "source.file_id"),
    refuse: ({ id }) => refusal(404, "not_found_error", `File not found: ${id}`),
  },
  "openai-responses": {
    provider: "openai",
    turns: (body) => inputItems(body["input"]),
    list: "input",
    parts: ["content", "output"],
    idIn: (part) => named(part["file_id"], "file_id"),
    refuse: refuseOpenai,
  },
  "openai-chat": {
    provider: "openai",
    turns: (body) => listIn(body["messages"]),
    list: "messages",
    parts: ["content"],
    idIn: (part) => named(objectIn(part["file"])["file_id"], "file.file_id"),
    refuse: refuseOpenai,
  },
  "google-generate": {
    provider: "google",
    turns: (body) => listIn(body["contents"]),
    list: "contents",
    parts: ["parts"],
    idIn: (part) => {
      const { fileUri, file_uri: uri } = objectIn(part["fileData"] ?? part["file_data"]);
      return named(googleFile.exec(textIn(fileUri ?? uri))?.[1] ?? "", "file_data.file_uri");
    },
    refuse: ({ id }) =>
      refusal(
        403,
        "PERMISSION_DENIED",
        `You do not have permission to access the File ${id} or it may not exist.`,
      ),
  },
};

/** The first file named in a list of parts, also inside the parts of Claude's tool results. */
const firstIn = (parts: JsonValue | undefined, at: string, shelf: Shelf): Named | undefined => {
  for (const [index, part] of listIn(parts).entries()) {
    if (!isJsonObject(part)) continue;
    const place = `${at}[${index}]`;
    const found = shelf.idIn(part);
    if (found !== undefined) return { ...found, at: `${place}.${found.at}` };
    const inside = firstIn(part["content"], `${place}.content`, shelf);
    if (inside !== undefined) return inside;
  }
  return undefined;
};

/** A prompt cached at Google, by its name. */
const refuseKept = (body: JsonObject): Refusal | undefined => {
  const kept = body["cachedContent"] ?? body["cached_content"];
  return typeof kept === "string" && kept !== ""
    ? refusal(403, "PERMISSION_DENIED", "CachedContent not found (or permission denied)")
    : undefined;
};

/**
 * Files are uploaded, and prompts cached at Google, through endpoints that are not emulated. So every
 * file id and every cached prompt is unknown here.
 */
export const refuseFiles = ({ wire, body, model, world }: ServiceExchange): Refusal | undefined => {
  const shelf = shelves[wire];
  if (model.provider !== shelf.provider || world.options.foreignSeals === "accept")
    return undefined;
  const kept = wire === "google-generate" ? refuseKept(body) : undefined;
  if (kept !== undefined) return kept;
  for (const [index, turn] of shelf.turns(body).entries()) {
    for (const name of shelf.parts) {
      const found = firstIn(objectIn(turn)[name], `${shelf.list}[${index}].${name}`, shelf);
      if (found !== undefined) return shelf.refuse(found);
    }
  }
  return undefined;
};
