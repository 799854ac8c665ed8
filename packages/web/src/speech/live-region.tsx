import type { UIMessage } from "@mull/ui-messages";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { News } from "../state/app-state.ts";
import type { SpeechPreference } from "../state/preferences.ts";
import { createAnnouncer } from "./announcer.ts";

export interface LiveRegionProps {
  readonly message: UIMessage | undefined;
  readonly isLive: boolean;
  readonly how: SpeechPreference;
  /** Said at once. */
  readonly alert: string | undefined;
  /** Said when it is another one than before. */
  readonly news: News | undefined;
}

interface SpokenLine {
  readonly nth: number;
  readonly text: string;
}

const keptLines = 4;

/** A line keeps its number, so that it is never read out a second time. */
function addLines(before: readonly SpokenLine[], news: readonly string[]): readonly SpokenLine[] {
  const first = (before.at(-1)?.nth ?? 0) + 1;
  const added = news.map((text, index) => ({ nth: first + index, text }));
  return [...before, ...added].slice(-Math.max(keptLines, added.length));
}

/** The one place that speaks. The thread itself is silent, or every token would be read out. */
export function LiveRegion({ message, isLive, how, alert, news }: LiveRegionProps): JSX.Element {
  const announcer = useMemo(createAnnouncer, []);
  const [lines, setLines] = useState<readonly SpokenLine[]>([]);
  useEffect(() => {
    const said = announcer.next(message, isLive, how);
    if (said.length > 0) setLines((before) => addLines(before, said));
  }, [message, isLive, how]);
  useEffect(() => {
    if (news !== undefined) setLines((before) => addLines(before, [news.text]));
  }, [news]);
  return (
    <>
      <div class="spoken" role="status" aria-live="polite">
        {lines.map(({ nth, text }) => (
          <p key={nth}>{text}</p>
        ))}
      </div>
      <div class="spoken" role="alert">
        {alert}
      </div>
    </>
  );
}
