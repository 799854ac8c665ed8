import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { LineState } from "../stream/follow-turn.ts";

export interface ConnectionProps {
  /** Of the answer that is coming, if one is. */
  readonly line: LineState | undefined;
  readonly onReconnect: () => void;
}

/** So long good news are shown. */
const newsMs = 4000;

/** Says that a connection is lost, and for a moment that it is back. */
export function Connection({ line, onReconnect }: ConnectionProps): JSX.Element | null {
  const isOnline = useOnline();
  const isBroken = !isOnline || line === "reconnecting" || line === "lost";
  const isBack = useIsBack(isBroken);
  if (line === "reconnecting")
    return (
      <p class="notice">
        Reconnecting… {isOnline ? "" : "You are offline. "}The answer goes on without this page.
      </p>
    );
  if (line === "lost")
    return (
      <p class="notice trouble">
        The connection is gone.{" "}
        <button type="button" onClick={onReconnect}>
          Reconnect
        </button>
      </p>
    );
  if (!isOnline) return <p class="notice trouble">You are offline. Your draft is kept.</p>;
  return isBack ? <p class="notice good">Connected again.</p> : null;
}

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(() => navigator.onLine);
  useEffect(() => {
    const look = (): void => setOnline(navigator.onLine);
    const news = ["online", "offline"] as const;
    for (const name of news) addEventListener(name, look);
    return () => {
      for (const name of news) removeEventListener(name, look);
    };
  }, []);
  return isOnline;
}

/** For a moment after something was broken. */
function useIsBack(isBroken: boolean): boolean {
  const [isBack, setBack] = useState(false);
  const wasBroken = useRef(isBroken);
  useEffect(() => {
    const isRepaired = wasBroken.current && !isBroken;
    wasBroken.current = isBroken;
    setBack(isRepaired);
    if (!isRepaired) return undefined;
    const timer = setTimeout(() => setBack(false), newsMs);
    return () => clearTimeout(timer);
  }, [isBroken]);
  return isBack;
}
