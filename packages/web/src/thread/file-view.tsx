import type { JSX } from "preact";
import { formatBytes } from "../format.ts";
import { shownImages } from "../tools/describe-tool.ts";
import type { UIFilePart } from "./read-turn.ts";

/** A picture with its name, or the name of what cannot be shown. Nothing is fetched for it. */
export function FileView({ file }: { readonly file: UIFilePart }): JSX.Element {
  const { url, mediaType, filename = "file" } = file;
  if (shownImages.has(mediaType) && url.startsWith("data:")) {
    return (
      <figure class="file">
        <img class="file" src={url} alt={filename} />
        <figcaption dir="auto">{filename}</figcaption>
      </figure>
    );
  }
  return (
    <p class="file" dir="auto">
      {filename} <small>({[mediaType, ...sizeOf(url)].join(", ")})</small>
    </p>
  );
}

/** Of what is here; the size of a file that is somewhere else is not known. */
const sizeOf = (url: string): readonly string[] => {
  const encoded = /^data:[^,]*;base64,/.exec(url)?.[0];
  if (encoded === undefined) return [];
  // Up to two signs at the end stand for nothing.
  const padding = url.length - url.replace(/={1,2}$/, "").length;
  return [formatBytes(((url.length - encoded.length) * 3) / 4 - padding)];
};
