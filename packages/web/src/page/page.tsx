import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { NeedLink } from "../account/need-link.tsx";
import { SignIn } from "../account/sign-in.tsx";
import { Composer } from "../composer/composer.tsx";
import { modelOf } from "../dial/list-models.ts";
import { LexerContext, useLexer } from "../markdown/lexer-context.ts";
import { LiveRegion } from "../speech/live-region.tsx";
import { handoverIn } from "../state/handover.ts";
import { useBox } from "../state/box.ts";
import { filesOf } from "../state/files.ts";
import { EmptyState } from "../thread/empty-state.tsx";
import { Notices } from "../thread/notices.tsx";
import { ThreadView } from "../thread/thread-view.tsx";
import type { TurnActions } from "../thread/turn-actions.ts";
import type { App } from "./app.ts";
import { Layers } from "./layers.tsx";
import { CompareColumn } from "./compare-column.tsx";
import { closeMenus } from "./close-menus.ts";
import { HeadActions } from "./head-actions.tsx";
import { HeadTitle } from "./head-title.tsx";
import { keepFocus } from "./keep-focus.ts";
import { comparedFrom, LazyStrip } from "./lazy-strip.tsx";
import { LazyTokens } from "./lazy-tokens.tsx";
import { listenToFiles } from "./listen-to-files.ts";
import { listenToKeys } from "./listen-to-keys.ts";
import { readOutlook } from "./outlook.ts";
import { Side } from "./side.tsx";
import { useMedia } from "./side-panel.tsx";

export interface PageProps {
  readonly app: App;
}

export function Page({ app }: PageProps): JSX.Element {
  const phase = useBox(app.box, (state) => state.phase);
  const userName = useBox(app.box, (state) => state.userName);
  const isClosed = useBox(app.box, (state) => state.isClosed);
  useEffect(() => listenToKeys(app, document), [app]);
  useEffect(() => listenToFiles(document, (files) => void app.thread.attach(files)), [app]);
  useEffect(() => closeMenus(document), []);
  useEffect(() => keepFocus(document, () => matchMedia("(pointer: coarse)").matches), []);
  const door = useBox(app.box, (state) => state.door);
  if (phase === "signed-out" && door.needsLink) return <NeedLink trouble={door.trouble} />;
  if (phase === "signed-out") {
    const ended = "Your session has ended. Sign in to continue; your draft is kept.";
    return (
      <SignIn
        onSignIn={app.session.signIn}
        onSignUp={isClosed && door.link === undefined ? undefined : app.session.signUp}
        isFirst={door.link !== undefined}
        notice={userName === undefined ? door.trouble : ended}
      />
    );
  }
  if (phase === "opening" && userName === undefined) return <Opening app={app} />;
  return <Shell app={app} />;
}

/** Nobody is known yet: the server may still be opening its store. */
function Opening({ app }: PageProps): JSX.Element {
  const notice = useBox(app.box, (state) => state.notice);
  return (
    <main class="sign-in">
      <h1>mull</h1>
      <p role="status">{notice?.text ?? "Opening…"}</p>
      {notice?.action === undefined ? null : (
        <button type="button" onClick={notice.action.run}>
          {notice.action.label}
        </button>
      )}
    </main>
  );
}

const phone = "(max-width: 639px)";

function Shell({ app }: PageProps): JSX.Element {
  const isPhone = useMedia(phone);
  const isComparing = useBox(app.box, ({ compared }) => compared.length > 0);
  const hasDrawer = useBox(app.box, ({ layer, thread }) => {
    if (layer?.kind === "usage") return true;
    // An answer that is given again, or left, takes its receipt with it.
    return layer?.kind === "receipt" && thread.messages.some(({ id }) => id === layer.messageId);
  });
  return (
    <LexerContext.Provider value={useLexer()}>
      <div class={hasDrawer ? "shell with-drawer" : "shell"}>
        {isPhone ? null : (
          <aside class="side" aria-label="Conversations">
            <Side app={app} />
          </aside>
        )}
        {isComparing ? (
          <CompareColumn app={app} isPhone={isPhone} />
        ) : (
          <ThreadColumn app={app} isPhone={isPhone} />
        )}
        <Layers app={app} />
      </div>
    </LexerContext.Provider>
  );
}

function useActions(app: App): TurnActions {
  return useMemo(
    () => ({
      retry: (id, how) => void app.thread.retry(id, how),
      retryWith: (retryOf) => app.setLayer({ kind: "models", retryOf }),
      decide: app.thread.decide,
      edit: (id, text) => void app.thread.edit(id, text),
      readEdit: app.thread.readEdit,
      keepEdit: app.thread.keepEdit,
      fork: (from) => void app.thread.fork(from),
      goTo: (head) => void app.thread.goTo(head),
      showReceipt: app.showReceipt,
      readAgain: () => void app.thread.reconnect(),
      inspect: (asOf) => app.setLayer({ kind: "inspector", asOf }),
      openKeys: () => app.setLayer({ kind: "keys" }),
    }),
    [app],
  );
}

function ThreadColumn({
  app,
  isPhone,
}: {
  readonly app: App;
  readonly isPhone: boolean;
}): JSX.Element {
  const thread = useBox(app.box, (state) => state.thread);
  const preferences = useBox(app.box, (state) => state.preferences);
  const choice = useBox(app.box, (state) => state.choice);
  const notice = useBox(app.box, (state) => state.notice);
  const isOld = useBox(app.box, (state) => state.isOld);
  const news = useBox(app.box, (state) => state.news);
  const actions = useActions(app);
  const chosen = useMemo(() => modelOf(choice.model), [choice.model]);
  const last = thread.messages.at(-1);
  return (
    <main class="main-column">
      <ThreadHead app={app} isPhone={isPhone} />
      <ThreadView
        thread={thread}
        chosen={chosen}
        preference={preferences.thinking}
        actions={actions}
        onEditing={app.thread.setEditing}
        rawAddress={thread.conversation && app.api.exportAddress(thread.conversation.id, "raw")}
        beside={
          thread.messages.length < comparedFrom ? null : (
            <LazyStrip key={thread.conversation?.id} thread={thread} />
          )
        }
        empty={<EmptyState onAsk={(text) => void app.thread.ask(text)} />}
      />
      <div class="foot">
        <Notices
          notice={notice}
          running={thread.running}
          handover={handoverIn(thread)}
          queued={thread.queued}
          queuedFiles={thread.queuedFiles}
          onDismiss={app.dismiss}
          onReconnect={() => void app.thread.reconnect()}
          onUnqueue={app.thread.unqueue}
          isOld={isOld}
        />
        {thread.isReadOnly ? null : <Ask app={app} isPhone={isPhone} />}
      </div>
      <LiveRegion
        message={last?.role === "assistant" ? last : undefined}
        isLive={thread.running !== undefined}
        how={preferences.speech}
        alert={notice?.isTrouble ? notice.text : undefined}
        news={news}
      />
    </main>
  );
}

function ThreadHead({
  app,
  isPhone,
}: {
  readonly app: App;
  readonly isPhone: boolean;
}): JSX.Element {
  const conversation = useBox(app.box, (state) => state.thread.conversation);
  const isReadOnly = useBox(app.box, (state) => state.thread.isReadOnly);
  const isLoading = useBox(app.box, (state) => state.thread.isLoading);
  const isSimulated = useIsSimulated(app);
  const title = isReadOnly
    ? "A file"
    : conversation === undefined
      ? "New conversation"
      : conversation.title || (isLoading ? "Opening…" : "Untitled");
  return (
    <header class="thread-head">
      <HeadTitle app={app} isPhone={isPhone} title={title} isSimulated={isSimulated} />
      <HeadActions app={app} isPhone={isPhone} />
    </header>
  );
}

const useIsSimulated = (app: App): boolean =>
  useBox(
    app.box,
    ({ models, choice }) => models.find(({ ref }) => ref === choice.model)?.isSimulated ?? false,
  );

function Ask({ app, isPhone }: PageProps & { readonly isPhone: boolean }): JSX.Element {
  const draft = useBox(app.box, (state) => state.draft);
  const files = useBox(app.box, filesOf);
  const choice = useBox(app.box, (state) => state.choice);
  const messages = useBox(app.box, (state) => state.thread.messages);
  const conversation = useBox(app.box, (state) => state.thread.conversation);
  const instructions = useBox(app.box, (state) => state.instructions);
  const running = useBox(app.box, (state) => state.thread.running);
  const queued = useBox(app.box, (state) => state.thread.queued);
  const isRunning = running !== undefined;
  const outlook = useMemo(
    () => readOutlook(messages, choice.model, modelOf(choice.model), isRunning),
    [messages, choice.model, isRunning],
  );
  return (
    <Composer
      text={draft}
      files={files}
      model={choice.model}
      level={choice.level}
      outlook={outlook}
      isPhone={isPhone}
      isRunning={isRunning}
      isQueued={queued !== undefined}
      tokens={
        draft.trim() === "" && files.length === 0 ? null : (
          <LazyTokens
            next={{
              conversationId: conversation?.id,
              messages,
              around: { instructions, system: conversation?.system },
              text: draft,
              files,
              choice,
            }}
            count={app.api.count}
            isRunning={isRunning}
          />
        )
      }
      onText={app.write}
      onFiles={(given) => void app.thread.attach(given)}
      onRemove={app.thread.detach}
      onSend={() => void app.thread.send()}
      onStop={() => void app.thread.stop()}
      onLevel={(level) => void app.thread.choose({ level })}
      onModelMenu={() => app.setLayer({ kind: "models" })}
      onEditLast={() => app.thread.setEditing(messages.findLast(({ role }) => role === "user")?.id)}
    />
  );
}
