import type { JSX } from "preact";
import { ConversationList } from "../conversations/conversation-list.tsx";
import { isAllSimulated } from "../dial/list-models.ts";
import { Icon } from "../parts/icon.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { useBox } from "../state/box.ts";
import { themes, togglePin } from "../state/preferences.ts";
import type { App } from "./app.ts";

const noPins: readonly string[] = [];

/** The list of conversations, with the controls above and below it. */
export function Side({ app }: { readonly app: App }): JSX.Element {
  const list = useBox(app.box, (state) => state.list);
  const openId = useBox(app.box, ({ compared, thread }) =>
    compared.length > 0 ? undefined : thread.conversation?.id,
  );
  const pinned = useBox(app.box, (state) => state.preferences.pinned) ?? noPins;
  // One key is enough: a vendor without one says so in the menu of models.
  const hasNoKey = useBox(app.box, ({ models }) => isAllSimulated(models));
  const closeList = (): void => {
    if (app.box.get().layer?.kind === "list") app.setLayer(undefined);
  };
  return (
    <>
      <button
        type="button"
        class="new"
        onClick={() => {
          app.startNew();
          closeList();
        }}
      >
        <Icon name="new" /> New
      </button>
      <ConversationList
        list={list}
        openId={openId}
        now={Date.now()}
        pinned={pinned}
        onPin={(id) => app.setPreferences({ pinned: togglePin(pinned, id) })}
        onSearch={(text, everything) => void app.list.search(text, everything)}
        onMore={() => void app.list.more()}
        onRename={(id, title) => void app.list.rename(id, title)}
        onRemove={(conversation) => {
          app.list.remove(conversation);
          // Over the page, the list would hide that it can be taken back.
          closeList();
        }}
        onOpen={closeList}
        exportAddress={app.api.exportAddress}
      />
      {hasNoKey ? (
        <p class="set-key">
          <button type="button" class="plain" onClick={() => app.setLayer({ kind: "keys" })}>
            Set a key for real answers
          </button>
        </p>
      ) : null}
      <SideFoot app={app} />
    </>
  );
}

function SideFoot({ app }: { readonly app: App }): JSX.Element {
  const theme = useBox(app.box, (state) => state.preferences.theme);
  const nextTheme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
  return (
    <footer class="side-foot">
      <IconButton
        label={`Theme: ${theme}. Change to ${nextTheme}`}
        title={`Theme: ${theme}`}
        icon="theme"
        onClick={() => app.setPreferences({ theme: nextTheme })}
      />
      <IconButton
        label="Keyboard"
        title="Keyboard (?)"
        icon="keys"
        onClick={() => app.setLayer({ kind: "help" })}
      />
      <IconButton
        label="Settings"
        title="Settings"
        icon="settings"
        onClick={() => app.setLayer({ kind: "settings" })}
      />
    </footer>
  );
}
