import type { UIMessage } from "@mull/ui-messages";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ThreadState } from "../state/app-state.ts";
import { chooseStart, mostAtOnce, startBefore, type ShownStart } from "./choose-shown.ts";

export interface Shown {
  readonly messages: readonly UIMessage[];
  /** How many there are before them. */
  readonly earlier: number;
  readonly showEarlier: () => void;
}

interface Begun extends ShownStart {
  readonly of: string | undefined;
}

/** The end of a long conversation, and more of it on demand. What is being read stays where it is. */
export function useShown({ messages, conversation }: ThreadState): Shown {
  const begun = useRef<Begun>({ of: conversation?.id, at: Infinity });
  const kept = useRef<{ readonly element: HTMLElement; readonly top: number }>();
  const [, setAsked] = useState(0);
  if (begun.current.of !== conversation?.id) begun.current = { of: conversation?.id, at: Infinity };
  const start = chooseStart(messages, startBefore(messages, begun.current));
  // Nothing is there yet while a conversation is being read.
  if (messages.length > 0) {
    begun.current = { of: conversation?.id, at: start, id: messages[start]?.id };
  }
  useLayoutEffect(() => {
    const { element, top } = kept.current ?? {};
    kept.current = undefined;
    const box = element?.closest(".thread");
    if (element === undefined || !box) return;
    box.scrollTop += element.getBoundingClientRect().top - (top ?? 0);
    // The button that had the focus may be gone; reading goes on where it was.
    element.focus({ preventScroll: true });
  }, [start]);
  return {
    messages: start === 0 ? messages : messages.slice(start),
    earlier: start,
    showEarlier: () => {
      const element = document.querySelector<HTMLElement>("#thread [data-message]");
      if (element !== null) {
        kept.current = { element, top: element.getBoundingClientRect().top };
      }
      begun.current = { of: conversation?.id, at: Math.max(0, start - mostAtOnce) };
      setAsked((count) => count + 1);
    },
  };
}
