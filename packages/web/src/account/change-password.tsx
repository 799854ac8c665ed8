import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { readField } from "./read-field.ts";

export interface ChangePasswordProps {
  /** Resolves with what went wrong, in words. */
  readonly onChange: (current: string, next: string) => Promise<string | undefined>;
}

export function ChangePassword({ onChange }: ChangePasswordProps): JSX.Element {
  const [trouble, setTrouble] = useState<string>();
  const [isDone, setDone] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form);
    setBusy(true);
    const found = await onChange(readField(data, "current"), readField(data, "next"));
    setBusy(false);
    setTrouble(found);
    setDone(found === undefined);
    if (found === undefined) form.reset();
  };
  return (
    <details class="password">
      <summary>Change the password</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label>
          Present password
          <input
            name="current"
            type="password"
            autocomplete="current-password"
            required
            maxLength={1000}
          />
        </label>
        <label>
          New password
          <input
            name="next"
            type="password"
            autocomplete="new-password"
            required
            minLength={8}
            maxLength={1000}
          />
        </label>
        <p class="trouble" role="alert">
          {trouble}
        </p>
        <p class="hint" role="status">
          {isDone ? "The password is changed. You are signed out everywhere else." : ""}
        </p>
        <button type="submit" disabled={isBusy}>
          Change
        </button>
      </form>
    </details>
  );
}
