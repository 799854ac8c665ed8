import type { JSX } from "preact";
import { ChangePassword, type ChangePasswordProps } from "../account/change-password.tsx";
import { MakeAccount, type MakeAccountProps } from "../account/make-account.tsx";
import { Dialog } from "../parts/dialog.tsx";
import {
  speechPreferences,
  themes,
  thinkingPreferences,
  type Preferences,
} from "../state/preferences.ts";

export interface SettingsProps {
  readonly preferences: Preferences;
  readonly userName: string | undefined;
  readonly onPreferences: (change: Partial<Preferences>) => void;
  readonly onKeys: () => void;
  readonly onImport: (text: string) => void;
  readonly onPassword: ChangePasswordProps["onChange"];
  /** `false`: they came in by the link. */
  readonly hasPassword: boolean;
  readonly onMakeAccount: MakeAccountProps["onMake"];
  readonly onSignOut: () => void;
  readonly onClose: () => void;
}

const words: Readonly<Record<string, string>> = {
  system: "same as the system",
  peek: "open while it streams",
  full: "always open",
  hide: "one line",
  end: "when it is complete",
  paragraphs: "by paragraphs",
  none: "nothing",
};

const select = <T extends string>(
  label: string,
  chosen: T,
  all: readonly T[],
  onChoose: (value: T) => void,
): JSX.Element => (
  <label>
    {label}
    <select
      value={chosen}
      onChange={({ currentTarget }) => {
        const found = all.find((each) => each === currentTarget.value);
        if (found !== undefined) onChoose(found);
      }}
    >
      {all.map((each) => (
        <option key={each} value={each}>
          {words[each] ?? each}
        </option>
      ))}
    </select>
  </label>
);

export function Settings(props: SettingsProps): JSX.Element {
  const { preferences, userName, onPreferences, onImport, onSignOut, onClose } = props;
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    onImport(await file.text());
    onClose();
  };
  return (
    <Dialog title="Settings" class="settings" onClose={onClose}>
      {select("Theme", preferences.theme, themes, (theme) => onPreferences({ theme }))}
      {select("Thinking", preferences.thinking, thinkingPreferences, (thinking) =>
        onPreferences({ thinking }),
      )}
      {select("Read out", preferences.speech, speechPreferences, (speech) =>
        onPreferences({ speech }),
      )}
      <label>
        Import a conversation
        <input
          type="file"
          accept="application/json,.json"
          onChange={({ currentTarget }) => void readFile(currentTarget.files?.[0])}
        />
      </label>
      <p>
        <button type="button" onClick={props.onKeys}>
          API keys
        </button>
      </p>
      {props.hasPassword ? (
        <>
          <ChangePassword onChange={props.onPassword} />
          <p class="account">
            Signed in as <strong>{userName}</strong>{" "}
            <button type="button" onClick={onSignOut}>
              Sign out
            </button>
          </p>
        </>
      ) : (
        <MakeAccount onMake={props.onMakeAccount} />
      )}
    </Dialog>
  );
}
