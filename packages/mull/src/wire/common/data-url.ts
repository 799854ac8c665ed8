import type { FilePart } from "../../types/message.ts";

/** A file as an address: its own, or its bytes as a data URL; `undefined` where it is kept under an id. */
export const urlOf = ({ mediaType, source }: FilePart): string | undefined => {
  if (source.type === "id") return undefined;
  return source.type === "url" ? source.url : `data:${mediaType};base64,${source.data}`;
};

/** What an address leads to. Only a data URL tells its type. */
export function fileAt(
  url: string,
  mediaType: string,
): { readonly mediaType: string; readonly source: FilePart["source"] } {
  const head = /^data:([^;,]+);base64,/.exec(url);
  return head === null
    ? { mediaType, source: { type: "url", url } }
    : { mediaType: head[1]!, source: { type: "base64", data: url.slice(head[0].length) } };
}
