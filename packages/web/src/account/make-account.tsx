import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { PasswordField } from "./password-field.tsx";
import { readField } from "./read-field.ts";

export interface MakeAccountProps {
  /** Resolves with what went wrong, in words. */
  readonly onMake: (name: string, password: string) => Promise<string | undefined>;
}

/** Gives a user without an account a name and a password; everything stays theirs. */
export function MakeAccount({ onMake }: MakeAccountProps): JSX.Element {
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form);
    setBusy(true);
    setTrouble(await onMake(readField(data, "name"), readField(data, "password")));
    setBusy(false);
  };
  return (
    <details class="password">
      <summary>Create an account</summary>
      <p class="hint">
        To sign in from another browser, or to let others in. Your conversations stay with you.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label>
          Name or e-mail
          <input name="name" autocomplete="username" required maxLength={100} />
        </label>
        <PasswordField label="Password" name="password" isNew />
        <p class="trouble" role="alert">
          {trouble}
        </p>
        <button type="submit" disabled={isBusy}>
          Create account
        </button>
      </form>
    </details>
  );
}
