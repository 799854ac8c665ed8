import type { JSX } from "preact";
import type { ThreadState } from "../state/app-state.ts";
import { useSettled } from "../usage/use-settled.ts";
import { useLoaded } from "./use-loaded.ts";

/** Loaded with the first conversation that has more than one answer. */
export function LazyStrip({ thread }: { readonly thread: ThreadState }): JSX.Element | null {
  const AnswerStrip = useLoaded(
    async () => (await import("../usage/answer-strip.tsx")).AnswerStrip,
  );
  const messages = useSettled(thread.messages, thread.running !== undefined);
  return AnswerStrip === undefined ? null : <AnswerStrip messages={messages} />;
}

/** Questions and answers that are there before bars can be compared. */
export const comparedFrom = 4;
