import type { ComponentChildren, JSX } from "preact";
import { Icon } from "./icon.tsx";

export interface MenuProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Rarer actions, behind three dots. `closeMenus` closes it on a click outside. */
export const Menu = ({ label, children }: MenuProps): JSX.Element => (
  <details class="menu" onBlur={closeWhenLeft} onToggle={showWhole} onKeyDown={closeOnEscape}>
    <summary aria-label={label} title="More">
      <Icon name="menu" />
    </summary>
    <div class="items" onClick={closeWhenChosen}>
      {children}
    </div>
  </details>
);

/** A list scrolls, and its last rows have no room below them. */
function showWhole({ currentTarget }: JSX.TargetedEvent<HTMLDetailsElement>): void {
  if (currentTarget.open) currentTarget.lastElementChild?.scrollIntoView({ block: "nearest" });
}

/** The menu is on top, so it is what Escape closes. */
function closeOnEscape(event: JSX.TargetedKeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== "Escape" || !event.currentTarget.open) return;
  event.preventDefault();
  close(event.currentTarget);
}

/** A dialog that opens now gives the focus back to what has it: to the three dots, which stay. */
const closeWhenChosen = ({ currentTarget }: JSX.TargetedMouseEvent<HTMLElement>): void =>
  close(currentTarget.parentElement as HTMLDetailsElement);

function close(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

function closeWhenLeft(event: JSX.TargetedFocusEvent<HTMLDetailsElement>): void {
  const next = event.relatedTarget;
  if (!(next instanceof Node && event.currentTarget.contains(next)))
    event.currentTarget.open = false;
}
