import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { wordsOf } from "../api.ts";
import { Dialog } from "../parts/dialog.tsx";

export interface SystemDialogProps {
  readonly system: string;
  /** Rejects with what went wrong. */
  readonly onSave: (system: string) => Promise<void>;
  readonly onClose: () => void;
}

/** The system prompt of this conversation. */
export function SystemDialog({ system, onSave, onClose }: SystemDialogProps): JSX.Element {
  const [text, setText] = useState(system);
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await onSave(text);
      onClose();
    } catch (error) {
      setTrouble(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="System prompt" class="ask-several" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label>
          What every answer in this conversation should follow, from the next one on
          <textarea
            rows={8}
            maxLength={20_000}
            autoFocus
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <p class="trouble" role="alert">
          {trouble}
        </p>
        <div class="buttons">
          <button type="submit" class="main" disabled={isBusy}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
