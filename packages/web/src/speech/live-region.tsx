import type { UIMessage } from "@mull/ui-messages";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { SpeechPreference } from "../state/preferences.ts";
import { createAnnouncer } from "./announcer.ts";

export interface LiveRegionProps {
  readonly message: UIMessage | undefined;
  readonly isLive: boolean;
  readonly how: SpeechPreference;
  /** Said at once. */
  readonly alert: string | undefined;
}

const keptLines = 4;

/** The one place that speaks. The thread itself is silent, or every token would be read out. */
export function LiveRegion({ message, isLive, how, alert }: LiveRegionProps): JSX.Element {
  const announcer = useMemo(createAnnouncer, []);
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    const news = announcer.next(message, isLive, how);
    if (news.length > 0) setLines((before) => [...before, ...news].slice(-keptLines));
  }, [message, isLive, how]);
  return (
    <>
      <div class="spoken" role="status" aria-live="polite">
        {lines.map((line, index) => (
          <p key={`${index}${line}`}>{line}</p>
        ))}
      </div>
      <div class="spoken" role="alert">
        {alert}
      </div>
    </>
  );
}
