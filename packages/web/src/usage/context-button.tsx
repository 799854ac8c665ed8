import type { JSX } from "preact";
import { formatCount } from "../format.ts";
import { writePercent } from "./write-percent.ts";

export interface ContextButtonProps {
  /** Tokens of the context; `undefined` before a service has counted. */
  readonly used: number | undefined;
  readonly window: number | undefined;
  readonly onOpen: () => void;
}

/** How full the context is, and the way to what fills it and what it cost. */
export function ContextButton({ used, window, onOpen }: ContextButtonProps): JSX.Element {
  const share = used === undefined || window === undefined ? undefined : used / window;
  const words =
    share === undefined || used === undefined || window === undefined
      ? "Usage"
      : `Usage: ${writePercent(share)} of the context, ${formatCount(used)} of ${formatCount(window)} tokens`;
  return (
    <button type="button" class="context-button" aria-label={words} title={words} onClick={onOpen}>
      <span
        class="ring"
        style={{ "--share": String(Math.min(1, share ?? 0)) }}
        aria-hidden="true"
      />
      Usage
    </button>
  );
}
