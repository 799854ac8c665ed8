import type { JSX } from "preact";
import { IconButton } from "../parts/icon-button.tsx";
import { useCountdown } from "../parts/use-countdown.ts";
import type { Notice, RunningState } from "../state/app-state.ts";
import { namesOf } from "../state/files.ts";
import { Connection } from "./connection.tsx";
import type { UIFilePart } from "./read-turn.ts";

export interface NoticesProps {
  readonly notice: Notice | undefined;
  readonly running: RunningState | undefined;
  /** Who still answers, if another model was chosen meanwhile. */
  readonly handover: string | undefined;
  readonly queued: string | undefined;
  readonly queuedFiles: readonly UIFilePart[];
  readonly isOld: boolean;
  readonly onDismiss: () => void;
  readonly onReconnect: () => void;
  readonly onUnqueue: () => void;
}

/** How long the server wants to be left alone. */
function Wait({ until }: { readonly until: number }): JSX.Element {
  const left = useCountdown(until);
  return <span class="wait">{left > 0 ? `Wait ${left} s.` : "You can try again now."}</span>;
}

/** One line each, above the composer: what is wrong and what to do. */
export function Notices(props: NoticesProps): JSX.Element {
  const { notice, running, queued } = props;
  return (
    <div class="notices">
      <Connection line={running?.line} onReconnect={props.onReconnect} />
      {props.handover === undefined ? null : <p class="notice">{props.handover}</p>}
      {props.isOld ? (
        <p class="notice">
          The server is newer than this page.{" "}
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      ) : null}
      {queued === undefined ? null : (
        <p class="notice">
          ▸ queued: {queued.slice(0, 80) || namesOf(props.queuedFiles)}{" "}
          <button type="button" onClick={props.onUnqueue}>
            Take back
          </button>
        </p>
      )}
      {notice === undefined ? null : (
        <p class={notice.isTrouble ? "notice trouble" : "notice"}>
          <span dir="auto">{notice.text}</span>{" "}
          {notice.until === undefined ? null : <Wait until={notice.until} />}
          {notice.action === undefined ? null : (
            <button type="button" onClick={notice.action.run}>
              {notice.action.label}
            </button>
          )}
          <IconButton label="Dismiss" icon="close" onClick={props.onDismiss} />
        </p>
      )}
    </div>
  );
}
