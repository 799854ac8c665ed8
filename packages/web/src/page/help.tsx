import type { JSX } from "preact";
import { Dialog } from "../parts/dialog.tsx";
import { composerKeys, pageKeys, spellFor, threadKeys } from "./keys.ts";

export function Help({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  const table = (
    title: string,
    rows: readonly { readonly keys: string; readonly does: string }[],
  ): JSX.Element => (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd>{spellFor(keys, isMac)}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
  return (
    <Dialog title="Keyboard" class="help" onClose={onClose}>
      {table("Everywhere", pageKeys)}
      {table("Writing", composerKeys)}
      {table("Reading, while the conversation has the focus", threadKeys)}
    </Dialog>
  );
}
