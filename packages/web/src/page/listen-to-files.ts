const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes("Files") ?? false;

/**
 * Files that are dropped anywhere on the page, or pasted, go with the question. Left to itself the
 * browser would open a dropped file in place of the page. Returns what stops it.
 */
export function listenToFiles(
  page: Document,
  onFiles: (files: readonly File[]) => void,
): () => void {
  const mark = (isOver: boolean): void => {
    page.documentElement.toggleAttribute("data-dropping", isOver);
  };
  const listeners = {
    dragover: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(true);
    },
    dragleave: ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) mark(false);
    },
    drop: (event: DragEvent) => {
      mark(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      onFiles([...(event.dataTransfer?.files ?? [])]);
    },
    paste: (event: ClipboardEvent) => {
      const given = event.clipboardData;
      // A copied table or page is a picture as well; what it says is meant.
      if (given === null || given.files.length === 0 || given.types.includes("text/plain")) return;
      event.preventDefault();
      onFiles([...given.files]);
    },
  };
  const leaving = new AbortController();
  const { signal } = leaving;
  page.addEventListener("dragover", listeners.dragover, { signal });
  page.addEventListener("dragleave", listeners.dragleave, { signal });
  page.addEventListener("drop", listeners.drop, { signal });
  page.addEventListener("paste", listeners.paste, { signal });
  return () => leaving.abort();
}
