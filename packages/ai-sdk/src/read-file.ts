import {
  UnsupportedFunctionalityError,
  type LanguageModelV4FilePart,
  type SharedV4FileData,
} from "@ai-sdk/provider";
import type { FilePart, Provider } from "mull";

/** A file of a prompt, whole, by its address, or by its id at the service that is asked. */
export function readFile(
  file: Pick<LanguageModelV4FilePart, "data" | "mediaType" | "filename">,
  provider: Pick<Provider, "id" | "name">,
): FilePart {
  const source = sourceOf(file.data, provider);
  return {
    type: "file",
    mediaType: mediaTypeOf(file, source),
    source,
    ...(file.filename !== undefined && { name: file.filename }),
  };
}

function sourceOf(
  data: SharedV4FileData,
  { id, name }: Pick<Provider, "id" | "name">,
): FilePart["source"] {
  switch (data.type) {
    case "data":
      return {
        type: "base64",
        data: typeof data.data === "string" ? data.data : toBase64(data.data),
      };
    case "url":
      return { type: "url", url: String(data.url) };
    case "text":
      return { type: "base64", data: toBase64(new TextEncoder().encode(data.text)) };
    case "reference": {
      const own = data.reference[id];
      if (own !== undefined) return { type: "id", id: own };
      const others = Object.keys(data.reference).join(", ");
      throw new UnsupportedFunctionalityError({
        functionality: "file references",
        message: `The file was uploaded to ${others}, where ${name} cannot read it. Pass the file itself, or upload it to ${name}.`,
      });
    }
    default:
      return data satisfies never;
  }
}

/** Version 7 may name the kind alone, such as `image`; the services want to know which. */
function mediaTypeOf(
  { mediaType, data }: Pick<LanguageModelV4FilePart, "data" | "mediaType">,
  source: FilePart["source"],
): string {
  const [kind = "", subtype = "*"] = mediaType.split("/");
  if (subtype !== "*") return mediaType;
  if (data.type === "text") return "text/plain";
  const start = source.type === "base64" ? source.data : "";
  const known = beginnings.find(([bytes]) => start.startsWith(bytes));
  return known?.[1] ?? usual[kind] ?? "application/octet-stream";
}

/** How files begin, in base64. */
const beginnings: readonly (readonly [bytes: string, mediaType: string])[] = [
  ["iVBORw", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBERi", "application/pdf"],
  ["SUQz", "audio/mpeg"],
  ["AAAA", "video/mp4"],
];

const usual: Readonly<Record<string, string>> = {
  image: "image/jpeg",
  audio: "audio/mpeg",
  video: "video/mp4",
  text: "text/plain",
};

/** In pieces: a call takes no million arguments. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
