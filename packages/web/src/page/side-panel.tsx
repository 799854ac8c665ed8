import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { IconButton } from "../parts/icon-button.tsx";

export interface SidePanelProps {
  readonly title: string;
  readonly class: string;
  /** Below this width it is a sheet over the page. */
  readonly query: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Where there is no room beside the thread. */
export const besideQuery = "(max-width: 899px)";

/** Beside the thread where there is room for it, over it if there is none. */
export function SidePanel({
  title,
  class: name,
  query,
  onClose,
  children,
}: SidePanelProps): JSX.Element {
  if (useMedia(query)) {
    return (
      <Dialog title={title} class={`${name} sheet-dialog`} onClose={onClose}>
        {children}
      </Dialog>
    );
  }
  return (
    <aside class={name} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <IconButton label="Close" icon="close" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}

export function useMedia(query: string): boolean {
  const [isMatch, setMatch] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = (): void => setMatch(list.matches);
    look();
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, [query]);
  return isMatch;
}
