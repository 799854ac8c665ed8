import type { JSX } from "preact";

export interface PasswordFieldProps {
  readonly label: string;
  readonly name: string;
  /** One that is chosen here, not one that has to be right. */
  readonly isNew: boolean;
}

/** A password as the server takes it. */
export const PasswordField = ({ label, name, isNew }: PasswordFieldProps): JSX.Element => (
  <label>
    {label}
    <input
      name={name}
      type="password"
      autocomplete={isNew ? "new-password" : "current-password"}
      required
      minLength={isNew ? 8 : 1}
      maxLength={1000}
    />
  </label>
);
