import type { FilePart } from "../../types/message.ts";

/** The address of a file: its own, or a data URL of its bytes; `undefined` if the service knows it by id. */
export const urlOf = ({ mediaType, source }: FilePart): string | undefined => {
  if (source.type === "id") return undefined;
  return source.type === "url" ? source.url : `data:${mediaType};base64,${source.data}`;
};

/** Reads an address as a file. Only a data URL names its media type; for others `mediaType` is assumed. */
export function fileAt(
  url: string,
  mediaType: string,
): { readonly mediaType: string; readonly source: FilePart["source"] } {
  const head = /^data:([^;,]+);base64,/.exec(url);
  return head === null
    ? { mediaType, source: { type: "url", url } }
    : { mediaType: head[1]!, source: { type: "base64", data: url.slice(head[0].length) } };
}

/** The text in base64, or `undefined` if the bytes are not text. */
export function textOfBase64(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
