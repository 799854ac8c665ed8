import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Markdown } from "../markdown/markdown.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { memo } from "../preact-memo.ts";
import type { ThinkingPreference } from "../state/preferences.ts";
import { describeThinking, type ThinkingView } from "./describe-thinking.ts";

export interface ThinkingProps extends Omit<ThinkingView, "elapsedMs"> {
  readonly preference: ThinkingPreference;
  /** When the block began, by the server's stamp where there is one. */
  readonly startedAt: number | undefined;
}

/** Longer thinking is put into the page when it is first opened (R198). */
const mountedAtOnce = 50_000;

/** A block of thinking. What the user opened or closed stays so, whatever the stream does. */
export const Thinking: (props: ThinkingProps) => JSX.Element = memo((props: ThinkingProps) => {
  const { text, isStreaming, preference, startedAt } = props;
  const [choice, setChoice] = useState<boolean>();
  const elapsedMs = useSeconds(isStreaming, startedAt);
  const words = describeThinking({ ...props, elapsedMs });
  const isOpen = choice ?? (preference === "full" || (preference === "peek" && isStreaming));
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (words === undefined) return <></>;
  const isMounted = wasOpen || text.length <= mountedAtOnce;
  return (
    <details class={`thinking ${words.state}`} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChoice(!isOpen);
        }}
      >
        <span class="chevron" aria-hidden="true" />
        <span class="label">{words.label}</span>
      </summary>
      <div class="thought" dir="auto">
        {text !== "" && isMounted ? <FollowedText text={text} isStreaming={isStreaming} /> : null}
        {words.reason === undefined ? null : <p class="reason">{words.reason}</p>}
        {text === "" || isStreaming ? null : <CopyButton text={text} label="Copy thinking" />}
      </div>
    </details>
  );
});

/** Ticks once a second while the block runs. */
function useSeconds(isRunning: boolean, startedAt: number | undefined): number | undefined {
  const [mountedAt] = useState(() => Date.now());
  const [now, setNow] = useState(mountedAt);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, [isRunning]);
  return isRunning ? Math.max(0, now - (startedAt ?? mountedAt)) : undefined;
}

/** Sticks to its end only while it is at its end. */
function FollowedText({
  text,
  isStreaming,
}: {
  readonly text: string;
  readonly isStreaming: boolean;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isStreaming && isAtEnd.current && box.current) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [text, isStreaming]);
  return (
    <div
      ref={box}
      class={isStreaming ? "scroll" : "scroll whole"}
      onScroll={({ currentTarget: at }) => {
        isAtEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < 24;
      }}
    >
      <Markdown text={text} />
    </div>
  );
}
