/**
 * Puts text on the clipboard; `false` if that is not allowed. Browsers have a clipboard only on
 * pages that came over TLS or from this machine; elsewhere a selection is copied as a person would.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "spoken";
  // Inside an open dialog, which keeps the focus from everything outside of it.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}
