import type { JSX } from "preact";
import { ActionButton } from "../parts/action-button.tsx";
import type { TurnActions } from "./turn-actions.ts";

export interface ForkButtonProps {
  readonly messageId: string;
  readonly actions: Pick<TurnActions, "fork">;
}

/** Begins a conversation of its own with everything up to this message. */
export const ForkButton = ({ messageId, actions }: ForkButtonProps): JSX.Element => (
  <ActionButton label="Fork from here" icon="fork" onClick={() => actions.fork({ messageId })}>
    Fork
  </ActionButton>
);
