import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Markdown } from "../markdown/markdown.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { memo } from "../preact-memo.ts";

/** Longer thinking is put into the page when it is first opened (R198). */
const mountedAtOnce = 50_000;

export interface ThoughtProps {
  readonly text: string;
  readonly reason: string | undefined;
  readonly isStreaming: boolean;
  /** Somebody has opened the line it belongs to. */
  readonly wasOpen: boolean;
}

/** What was thought, and why there is no more of it. */
export const Thought: (props: ThoughtProps) => JSX.Element = memo((props: ThoughtProps) => {
  const { text, reason, isStreaming, wasOpen } = props;
  const isMounted = wasOpen || text.length <= mountedAtOnce;
  return (
    <div class="thought" dir="auto">
      {text !== "" && isMounted ? <FollowedText text={text} isStreaming={isStreaming} /> : null}
      {reason === undefined ? null : <p class="reason">{reason}</p>}
      {text === "" || isStreaming ? null : (
        <CopyButton text={text} label="Copy thinking" caption="Copy" />
      )}
    </div>
  );
});

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
