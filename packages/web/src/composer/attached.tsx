import type { JSX } from "preact";
import { Icon } from "../parts/icon.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { nameOf } from "../state/files.ts";
import type { UIFilePart } from "../thread/read-turn.ts";
import { shownImages } from "../tools/describe-tool.ts";

export interface AttachedProps {
  readonly files: readonly UIFilePart[];
  readonly onRemove: (file: UIFilePart) => void;
}

/** The files that go with the question. */
export const Attached = ({ files, onRemove }: AttachedProps): JSX.Element | null =>
  files.length === 0 ? null : (
    <ul class="attached" aria-label="Files">
      {files.map((file, index) => (
        <li key={index}>
          {shownImages.has(file.mediaType) ? <img src={file.url} alt="" /> : null}
          <span dir="auto" title={nameOf(file)}>
            {nameOf(file)}
          </span>
          <IconButton
            label={`Remove ${nameOf(file)}`}
            title="Remove"
            icon="close"
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
    </ul>
  );

/** Opens the browser's own choice of files. */
export const AttachButton = ({
  onFiles,
}: {
  readonly onFiles: (files: readonly File[]) => void;
}): JSX.Element => (
  <label class="attach" title="Add files (or drop or paste them)">
    <Icon name="attach" />
    <input
      type="file"
      multiple
      aria-label="Add files"
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        // The same file can be chosen again after it was removed.
        currentTarget.value = "";
      }}
    />
  </label>
);
