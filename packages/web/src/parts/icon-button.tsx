import type { JSX } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export interface IconButtonProps {
  /** The label for screen readers. */
  readonly label: string;
  readonly icon: IconName;
  readonly onClick: () => void;
  /** The tooltip. */
  readonly title?: string;
}

/** A button that shows only a sign. */
export const IconButton = ({ label, icon, ...rest }: IconButtonProps): JSX.Element => (
  <button type="button" class="icon" aria-label={label} {...rest}>
    <Icon name={icon} />
  </button>
);
