import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export interface ActionButtonProps {
  /** Whole, for a voice and the tooltip; it holds the word that is shown. */
  readonly label: string;
  readonly icon: IconName;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** Something to do with a message: a sign and a word. */
export const ActionButton = ({
  label,
  icon,
  onClick,
  children,
}: ActionButtonProps): JSX.Element => (
  <button type="button" class="action" aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} />
    <span>{children}</span>
  </button>
);
