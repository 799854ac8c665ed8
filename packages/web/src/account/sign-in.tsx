import type { JSX } from "preact";
import { useState } from "preact/hooks";

export interface SignInProps {
  /** Resolves with what went wrong, in words. */
  readonly onSignIn: (name: string, password: string) => Promise<string | undefined>;
  readonly onSignUp: (name: string, password: string) => Promise<string | undefined>;
  /** Said above the form, e.g. that a session has ended. */
  readonly notice?: string | undefined;
}

const readField = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === "string" ? value : "";
};

export function SignIn({ onSignIn, onSignUp, notice }: SignInProps): JSX.Element {
  const [isNew, setNew] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form);
    setBusy(true);
    setTrouble(undefined);
    const send = isNew ? onSignUp : onSignIn;
    setTrouble(await send(readField(data, "name"), readField(data, "password")));
    setBusy(false);
  };
  return (
    <main class="sign-in">
      <h1>mull</h1>
      <p>One thinking dial for every model.</p>
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
        <label>
          Password
          <input
            name="password"
            type="password"
            autocomplete={isNew ? "new-password" : "current-password"}
            required
            minLength={isNew ? 8 : 1}
            maxLength={1000}
          />
        </label>
        {isNew ? <p class="hint">At least 8 characters.</p> : null}
        <p class="trouble" role="alert">
          {trouble}
        </p>
        <button type="submit" class="main" disabled={isBusy}>
          {isNew ? "Create account" : "Sign in"}
        </button>
        <button type="button" class="plain" onClick={() => setNew(!isNew)}>
          {isNew ? "I have an account" : "Create an account"}
        </button>
      </form>
    </main>
  );
}
