import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { wordsOf, type Api, type KeyList, type KeyOwner, type KeyRow } from "../api.ts";
import { Dialog } from "../parts/dialog.tsx";
import { readField } from "./read-field.ts";
import "../style/keys.css";

export interface KeysDialogProps {
  readonly api: Pick<Api, "keys" | "storeKey" | "removeKey">;
  /** A key came or went: models answer that did not, or the other way round. */
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/**
 * Shows which providers have a key, and takes new ones. A key goes to the server and never comes
 * back.
 */
export function KeysDialog({ api, onChange, onClose }: KeysDialogProps): JSX.Element {
  const [list, setList] = useState<KeyList>();
  const [trouble, setTrouble] = useState<string>();
  const [news, setNews] = useState("");
  const load = (): Promise<void> => api.keys().then(setList, (error) => setTrouble(wordsOf(error)));
  useEffect(() => void load(), []);
  const change = async (work: Promise<void>, done: string): Promise<boolean> => {
    setTrouble(undefined);
    try {
      await work;
      await load();
      setNews(done);
      onChange();
      return true;
    } catch (error) {
      setTrouble(wordsOf(error));
      return false;
    }
  };
  return (
    <Dialog title="API keys" class="keys-dialog" onClose={onClose}>
      {list === undefined ? (
        <p role="status">Loading…</p>
      ) : (
        <>
          <p class="hint">{introOf(list)}</p>
          {whoseOf(list).map((whose) => (
            <EnterKey
              key={whose}
              whose={whose}
              rows={rowsFor(list, whose)}
              onStore={(row, key) =>
                change(api.storeKey(row.id, key, whose), `The key for ${row.name} is stored.`)
              }
            />
          ))}
        </>
      )}
      <p class="trouble" role="alert">
        {trouble}
      </p>
      <p class="hint" role="status">
        {news}
      </p>
      {list === undefined ? null : (
        <KeyTable
          list={list}
          onRemove={(row, whose) =>
            void change(api.removeKey(row.id, whose), `The key for ${row.name} is removed.`)
          }
        />
      )}
    </Dialog>
  );
}

function introOf({ mayChangeServer, mayKeepOwn }: KeyList): JSX.Element {
  if (mayChangeServer) {
    return (
      <>
        Keys are stored on this machine, in a file that only you can read, as{" "}
        <code>mull keys set</code> does. A key goes to its own provider.
      </>
    );
  }
  return mayKeepOwn ? (
    <>Your key is stored encrypted, is used only for you, and goes only to its own provider.</>
  ) : (
    <>
      Keys stay on the server. The person who runs it sets them with <code>mull keys set</code>, or
      with a variable.
    </>
  );
}

const whoseOf = ({ mayChangeServer, mayKeepOwn }: KeyList): readonly KeyOwner[] =>
  mayChangeServer ? ["server"] : mayKeepOwn ? ["me"] : [];

const rowsFor = ({ providers }: KeyList, whose: KeyOwner): readonly KeyRow[] =>
  providers.filter((row) => (whose === "server" ? row.server !== "environment" : row.takesOwn));

interface EnterKeyProps {
  readonly whose: KeyOwner;
  readonly rows: readonly KeyRow[];
  /** Resolves with whether it was stored. */
  readonly onStore: (row: KeyRow, key: string) => Promise<boolean>;
}

function EnterKey({ whose, rows, onStore }: EnterKeyProps): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form);
    const row = rows.find(({ id }) => id === readField(data, "provider"));
    if (row === undefined) return;
    setBusy(true);
    if (await onStore(row, readField(data, "key"))) form.reset();
    setBusy(false);
  };
  return (
    <form
      class="enter-key"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <label>
        Provider
        <select name="provider">
          {rows.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {whose === "server" ? "Key" : "Your key"}
        {/* No password manager should offer to keep it, and no history either. */}
        <input
          name="key"
          type="password"
          autocomplete="off"
          data-1p-ignore
          spellcheck={false}
          required
          maxLength={1000}
          autoFocus
        />
      </label>
      <button type="submit" class="main" disabled={isBusy}>
        Store
      </button>
    </form>
  );
}

function KeyTable({
  list,
  onRemove,
}: {
  readonly list: KeyList;
  readonly onRemove: (row: KeyRow, whose: KeyOwner) => void;
}): JSX.Element {
  const { mayChangeServer, mayKeepOwn, providers } = list;
  return (
    <table class="key-table">
      <thead>
        <tr>
          <th scope="col">Provider</th>
          <th scope="col">Key</th>
          <th scope="col">
            <span class="unseen">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {providers.map((row) => {
          const whose = row.own && mayKeepOwn ? "me" : row.server === "file" ? "server" : undefined;
          const mayRemove = whose === "me" || (whose === "server" && mayChangeServer);
          return (
            <tr key={row.id} class={row.own || row.server !== null ? "has-key" : undefined}>
              <th scope="row">{row.name}</th>
              <td>{describeRow(row)}</td>
              <td>
                {mayRemove && whose !== undefined ? (
                  <button
                    type="button"
                    aria-label={`Remove the key for ${row.name}`}
                    onClick={() => onRemove(row, whose)}
                  >
                    Remove
                  </button>
                ) : null}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function describeRow({ own, server, variables: [name] }: KeyRow): JSX.Element {
  if (own) return <>yours</>;
  if (server === "file") return <>stored</>;
  return server === "environment" ? (
    <>
      from <code>{name}</code>
    </>
  ) : (
    <>–</>
  );
}
