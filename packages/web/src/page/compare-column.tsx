import type { JSX } from "preact";
import { isAllSimulated } from "../dial/list-models.ts";
import { LiveRegion } from "../speech/live-region.tsx";
import { useBox } from "../state/box.ts";
import { Notices } from "../thread/notices.tsx";
import type { App } from "./app.ts";
import { HeadTitle } from "./head-title.tsx";
import { useLoaded } from "./use-loaded.ts";

export interface CompareColumnProps {
  readonly app: App;
  readonly isPhone: boolean;
}

/** Answers side by side, in place of the thread. */
export function CompareColumn({ app, isPhone }: CompareColumnProps): JSX.Element {
  const ids = useBox(app.box, (state) => state.compared);
  const preferences = useBox(app.box, (state) => state.preferences);
  const notice = useBox(app.box, (state) => state.notice);
  const news = useBox(app.box, (state) => state.news);
  const isSimulated = useBox(app.box, ({ models }) => isAllSimulated(models));
  const CompareView = useLoaded(
    async () => (await import("../compare/compare-view.tsx")).CompareView,
  );
  return (
    <main class="main-column">
      <header class="thread-head">
        <HeadTitle app={app} isPhone={isPhone} title="Compare" isSimulated={isSimulated} />
      </header>
      {CompareView === undefined ? (
        <p role="status">Opening…</p>
      ) : (
        <CompareView
          ids={ids}
          api={app.api}
          now={app.now}
          preference={preferences.thinking}
          marksSimulated={!isSimulated}
          onKeep={app.compare.keep}
        />
      )}
      <div class="foot">
        <Notices
          notice={notice}
          running={undefined}
          handover={undefined}
          queued={undefined}
          queuedFiles={[]}
          onDismiss={app.dismiss}
          onReconnect={() => undefined}
          onUnqueue={() => undefined}
          isOld={false}
        />
      </div>
      <LiveRegion
        message={undefined}
        isLive={false}
        how={preferences.speech}
        alert={notice?.isTrouble ? notice.text : undefined}
        news={news}
      />
    </main>
  );
}
