import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { PasswordField } from "./password-field.tsx";
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
        <PasswordField label="Current password" name="current" isNew={false} />
        <PasswordField label="New password" name="next" isNew />
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
