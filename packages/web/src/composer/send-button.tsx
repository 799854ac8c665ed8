import type { JSX } from "preact";
import { Icon } from "../parts/icon.tsx";

export interface SendButtonProps {
  readonly isRunning: boolean;
  readonly isEmpty: boolean;
  readonly isQueued: boolean;
  readonly onStop: () => void;
}

/** Two buttons and not one that changes: a click on Stop that brings text back would send it. */
export const SendButton = ({
  isRunning,
  isEmpty,
  isQueued,
  onStop,
}: SendButtonProps): JSX.Element =>
  isRunning && isEmpty ? (
    <button
      key="stop"
      type="button"
      class="send"
      aria-label="Stop"
      title="Stop (Esc)"
      onClick={({ detail }) => {
        // The second half of a double click on Send, which stood here a moment ago.
        if (detail < 2) onStop();
      }}
    >
      <Icon name="stop" />
    </button>
  ) : (
    <button
      key="send"
      type="submit"
      class="send"
      aria-label={isRunning ? "Queue" : "Send"}
      title={isRunning ? "Send after this answer" : "Send (Enter)"}
      disabled={isEmpty || isQueued}
    >
      <Icon name="send" />
    </button>
  );
