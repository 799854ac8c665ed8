import type { JSX } from "preact";
import type { NextQuestion, TokenLineProps } from "../usage/token-line.tsx";
import { useSettled } from "../usage/use-settled.ts";
import { useLoaded } from "./use-loaded.ts";

export interface LazyTokensProps extends TokenLineProps {
  readonly isRunning: boolean;
}

/** Loaded when something is written. */
export function LazyTokens({ next, count, isRunning }: LazyTokensProps): JSX.Element | null {
  const TokenLine = useLoaded(async () => (await import("../usage/token-line.tsx")).TokenLine);
  const messages = useSettled(next.messages, isRunning);
  const settled: NextQuestion = { ...next, messages };
  return TokenLine === undefined ? null : (
    <>
      {" · "}
      <TokenLine next={settled} count={count} />
    </>
  );
}
