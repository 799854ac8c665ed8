/** A click beside an open menu closes it. Returns what stops that. */
export function closeMenus(page: Document): () => void {
  const onPointerDown = ({ target }: PointerEvent): void => {
    for (const menu of page.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
      if (!(target instanceof Node && menu.contains(target))) menu.open = false;
    }
  };
  page.addEventListener("pointerdown", onPointerDown);
  return () => page.removeEventListener("pointerdown", onPointerDown);
}
