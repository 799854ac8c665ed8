import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PasswordField } from "./password-field.tsx";
import { readField } from "./read-field.ts";

export interface SignInProps {
  /** Resolves with what went wrong, in words. */
  readonly onSignIn: (name: string, password: string) => Promise<string | undefined>;
  /** Absent: sign-up is closed. */
  readonly onSignUp: ((name: string, password: string) => Promise<string | undefined>) | undefined;
  /** They came with the link that makes the first account. */
  readonly isFirst?: boolean;
  /** Said above the form, e.g. that a session has ended. */
  readonly notice?: string | undefined;
}

const longMs = 3000;

/** Whether it has been going on for a while. */
function useIsLong(isGoingOn: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isGoingOn) return undefined;
    const timer = setTimeout(() => setLong(true), longMs);
    return () => clearTimeout(timer);
  }, [isGoingOn]);
  return isLong;
}

export function SignIn({ onSignIn, onSignUp, notice, isFirst = false }: SignInProps): JSX.Element {
  const [wantsNew, setNew] = useState(isFirst);
  const isNew = wantsNew && onSignUp !== undefined;
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isSlow = useIsLong(isBusy);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form);
    setBusy(true);
    setTrouble(undefined);
    const send = isNew ? onSignUp : onSignIn;
    const told = await send(readField(data, "name"), readField(data, "password"));
    setTrouble(told);
    setBusy(false);
    // The button that was pressed has lost the focus, and the password is what to write again.
    if (told !== undefined) form.querySelector<HTMLInputElement>("[type=password]")?.select();
  };
  return (
    <main class="sign-in">
      <h1>mull</h1>
      <p>One thinking dial for every model.</p>
      {isFirst ? (
        <p>Create the first account. It gets the conversations that are kept here.</p>
      ) : null}
      {notice === undefined ? null : <p role="status">{notice}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label>
          Name or e-mail
          <input name="name" autocomplete="username" required maxLength={100} autoFocus />
        </label>
        <PasswordField label="Password" name="password" isNew={isNew} />
        {isNew ? <p class="hint">At least 8 characters.</p> : null}
        <p class="trouble" role="alert">
          {trouble}
        </p>
        <button type="submit" class="main" disabled={isBusy}>
          {isBusy ? "One moment…" : isNew ? "Create account" : "Sign in"}
        </button>
        <p class="hint" role="status">
          {isSlow ? "The server is still opening its store. The first start takes a while." : ""}
        </p>
        {onSignUp === undefined ? (
          <p class="hint">Sign-up is closed. Ask the person who runs this server.</p>
        ) : (
          <button
            type="button"
            class="plain"
            onClick={({ currentTarget }) => {
              setNew(!isNew);
              currentTarget.form?.querySelector<HTMLInputElement>("[name=name]")?.focus();
            }}
          >
            {isNew ? "I have an account" : "Create an account"}
          </button>
        )}
      </form>
    </main>
  );
}
