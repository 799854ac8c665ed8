import type { JSX } from "preact";

/** Said once on a screen. */
export const SimulatedBadge = ({ isShown }: { readonly isShown: boolean }): JSX.Element | null =>
  isShown ? (
    <span class="badge" title="No API key is set: the built-in emulator answers by rule.">
      simulated
    </span>
  ) : null;
