import type { JSX } from "preact";
import { shownImages } from "../tools/describe-tool.ts";
import type { UIFilePart } from "./read-turn.ts";

/** A picture that came along, or the name of what cannot be shown. Nothing is fetched for it. */
export function FileView({ file }: { readonly file: UIFilePart }): JSX.Element {
  const { url, mediaType, filename = "file" } = file;
  if (shownImages.has(mediaType) && url.startsWith("data:")) {
    return <img class="file" src={url} alt={filename} title={filename} />;
  }
  return (
    <p class="file" dir="auto">
      {filename} ({mediaType})
    </p>
  );
}
