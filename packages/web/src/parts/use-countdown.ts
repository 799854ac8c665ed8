import { useEffect, useState } from "preact/hooks";

/** Nobody watches a number for longer. */
const longestMs = 600_000;

/** Seconds until a time by this machine's clock, counted down; 0 when it is past, or if there is none. */
export function useCountdown(until: number | undefined): number {
  const leftOf = (): number => {
    const ms = until === undefined ? 0 : until - Date.now();
    return Math.max(0, Math.ceil(Math.min(ms, longestMs) / 1000));
  };
  const [left, setLeft] = useState(leftOf);
  useEffect(() => {
    setLeft(leftOf());
    if (until === undefined) return undefined;
    const timer = setInterval(() => {
      const now = leftOf();
      setLeft(now);
      if (now === 0) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}
