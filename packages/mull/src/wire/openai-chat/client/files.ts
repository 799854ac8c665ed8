import { wrongArgument, type MullError } from "../../../types/error.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { FilePart } from "../../../types/message.ts";
import type { EncodeTarget } from "../../../types/wire.ts";
import { urlOf } from "../../common/data-url.ts";
import { extraOn } from "../../common/answer.ts";
import { wire } from "./message-parts.ts";

/** Writes a file as a content part. `at` names the part in an error. */
export function encodeFile(part: FilePart, at: string, target: EncodeTarget): JsonObject {
  const { mediaType, source } = part;
  const extra = extraOn(wire, part);
  const url = urlOf(part);
  if (mediaType.startsWith("image/")) {
    if (target.model.files?.images === false) throw refuse(part, at, target);
    if (url === undefined) throw refuse(part, at, target);
    return { type: "image_url", image_url: { url, ...extra } };
  }
  if (mediaType.startsWith("audio/")) {
    if (source.type !== "base64") throw refuse(part, at, target);
    const format = mediaType.slice(6).replace("mpeg", "mp3").replace("x-wav", "wav");
    return { type: "input_audio", input_audio: { data: source.data, format, ...extra } };
  }
  if (target.model.files?.pdf === false) throw refuse(part, at, target);
  if (source.type === "id") return { type: "file", file: { file_id: source.id, ...extra } };
  if (source.type === "url" && target.quirks?.fileUrls !== true) throw refuse(part, at, target);
  return { type: "file", file: { filename: part.name ?? "file", file_data: url, ...extra } };
}

const refuse = ({ mediaType, source }: FilePart, at: string, { model }: EncodeTarget): MullError =>
  wrongArgument(
    `${at}: ${model.id} does not take a ${mediaType} file given as ${source.type}`,
    at,
    {
      fix: "send the file in another form, leave it out, or choose a model that reads it",
    },
  );
