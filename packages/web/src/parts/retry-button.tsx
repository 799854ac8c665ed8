import type { JSX } from "preact";
import { useCountdown } from "./use-countdown.ts";

export interface RetryButtonProps {
  /** When the service takes a request again, if it said so. */
  readonly until: number | undefined;
  readonly onRetry: () => void;
}

/** Counts down from the service's own number. */
export function RetryButton({ until, onRetry }: RetryButtonProps): JSX.Element {
  const left = useCountdown(until);
  return (
    <button type="button" disabled={left > 0} onClick={onRetry}>
      {left > 0 ? `Retry in ${left} s` : "Retry"}
    </button>
  );
}
