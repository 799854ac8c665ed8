import type { JSX } from "preact";
import type { Choice } from "../api.ts";
import { isAllSimulated, type FirstModels } from "../dial/list-models.ts";
import { ModelMenu } from "../dial/model-menu.tsx";
import { Dialog } from "../parts/dialog.tsx";
import type { AppState } from "../state/app-state.ts";
import { useBox } from "../state/box.ts";
import type { App } from "./app.ts";
import { LazyInspector } from "./lazy-inspector.tsx";
import { Side } from "./side.tsx";
import { besideQuery, SidePanel, useMedia } from "./side-panel.tsx";
import { UsageLayer } from "./usage-layer.tsx";
import { useLoaded } from "./use-loaded.ts";

/** The panel over or next to the thread, one at a time. */
export function Layers({ app }: { readonly app: App }): JSX.Element | null {
  const layer = useBox(app.box, (state) => state.layer);
  const state = app.box.get();
  const close = (): void => app.setLayer(undefined);
  switch (layer?.kind) {
    case "models":
      return (
        <ModelMenu
          offered={state.models}
          chosen={state.choice.model}
          first={firstModels(state)}
          {...(layer.retryOf !== undefined && { title: "Answer again with" })}
          onChoose={(model) => {
            if (layer.retryOf === undefined) void app.thread.choose({ model });
            else void app.thread.retry(layer.retryOf, { model });
          }}
          onClose={close}
        />
      );
    case "help":
      return <HelpLayer onClose={close} />;
    case "settings":
      return <SettingsLayer app={app} onClose={close} />;
    case "compare":
      return <AskSeveralLayer app={app} onClose={close} />;
    case "system":
      return <SystemLayer app={app} onClose={close} />;
    case "keys":
      return <KeysLayer app={app} onClose={close} />;
    case "list":
      return (
        <Dialog title="Conversations" class="list-dialog" onClose={close}>
          <div class="side">
            <Side app={app} />
          </div>
        </Dialog>
      );
    case "usage":
      return <UsageLayer app={app} onClose={close} />;
    case "receipt":
      return <ReceiptLayer app={app} messageId={layer.messageId} onClose={close} />;
    case "inspector":
      return <LazyInspector app={app} asOf={layer.asOf} onClose={close} />;
    case undefined:
      return null;
    default:
      return layer satisfies never;
  }
}

const firstModels = ({ recommended, list, preferences }: AppState): FirstModels => ({
  recommended,
  recent: [preferences.model, ...list.conversations.map(({ model }) => model)].filter(
    (ref) => ref !== undefined,
  ),
});

interface LayerProps {
  readonly app: App;
  readonly onClose: () => void;
}

function HelpLayer({ onClose }: Pick<LayerProps, "onClose">): JSX.Element | null {
  const Help = useLoaded(async () => (await import("./help.tsx")).Help);
  return Help === undefined ? null : <Help onClose={onClose} />;
}

function SettingsLayer({ app, onClose }: LayerProps): JSX.Element | null {
  const Settings = useLoaded(async () => (await import("./settings.tsx")).Settings);
  const preferences = useBox(app.box, (state) => state.preferences);
  const { userName, hasPassword } = app.box.get();
  if (Settings === undefined) return null;
  return (
    <Settings
      preferences={preferences}
      userName={userName}
      onKeys={() => app.setLayer({ kind: "keys" })}
      onPreferences={app.setPreferences}
      onImport={(text) => void app.list.importText(text)}
      onPassword={app.session.changePassword}
      hasPassword={hasPassword}
      onMakeAccount={app.session.claim}
      onSignOut={() => {
        // Over the page, this would hide a refusal.
        onClose();
        void app.session.signOut();
      }}
      onClose={onClose}
    />
  );
}

/** The model that is chosen, and the first other one that is recommended. */
function twoChoices({ choice, recommended }: AppState): readonly Choice[] {
  const other = recommended.find((ref) => ref !== choice.model) ?? choice.model;
  return [choice, { model: other, level: choice.level }];
}

function AskSeveralLayer({ app, onClose }: LayerProps): JSX.Element | null {
  const AskSeveral = useLoaded(async () => (await import("../compare/ask-several.tsx")).AskSeveral);
  const state = app.box.get();
  if (AskSeveral === undefined) return null;
  return (
    <AskSeveral
      offered={state.models}
      question={state.draft}
      choices={twoChoices(state)}
      onAsk={app.compare.ask}
      onClose={onClose}
    />
  );
}

function SystemLayer({ app, onClose }: LayerProps): JSX.Element | null {
  const SystemDialog = useLoaded(async () => (await import("./system-dialog.tsx")).SystemDialog);
  if (SystemDialog === undefined) return null;
  return (
    <SystemDialog
      system={app.box.get().thread.conversation?.system ?? ""}
      onSave={app.thread.setSystem}
      onClose={onClose}
    />
  );
}

function KeysLayer({ app, onClose }: LayerProps): JSX.Element | null {
  const KeysDialog = useLoaded(async () => (await import("../account/keys-dialog.tsx")).KeysDialog);
  if (KeysDialog === undefined) return null;
  return (
    <KeysDialog api={app.api} onChange={() => void app.session.reloadModels()} onClose={onClose} />
  );
}

function ReceiptLayer({
  app,
  messageId,
  onClose,
}: LayerProps & { readonly messageId: string }): JSX.Element | null {
  const ReceiptPanel = useLoaded(
    async () => (await import("../receipt/receipt-panel.tsx")).ReceiptPanel,
  );
  const messages = useBox(app.box, (state) => state.thread.messages);
  const isMixed = useBox(app.box, ({ models }) => !isAllSimulated(models));
  const hidesPage = useMedia(besideQuery);
  const message = messages.find(({ id }) => id === messageId);
  if (message === undefined || ReceiptPanel === undefined) return null;
  const nth = messages.filter(({ role }) => role === "assistant").indexOf(message) + 1;
  return (
    <SidePanel
      title={`Receipt · answer ${nth}`}
      class="drawer"
      query={besideQuery}
      onClose={onClose}
    >
      <ReceiptPanel
        message={message}
        marksSimulated={isMixed || hidesPage}
        onInspect={(step) =>
          app.setLayer({ kind: "inspector", asOf: { answerId: messageId, step } })
        }
      />
    </SidePanel>
  );
}
