import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ThreadState } from "../state/app-state.ts";

export interface Following {
  readonly box: { current: HTMLDivElement | null };
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
  readonly onScroll: () => void;
  readonly onWheel: () => void;
  readonly onTouchMove: () => void;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onKeyDown: () => void;
  readonly onFocusIn: () => void;
}

/** This close to the end counts as being there. */
const near = 48;
/** A scroll this soon after a key, a wheel or a touch is the reader's own. */
const ownMs = 1000;
/** Code is coloured and pictures are laid out after a conversation is shown. */
const settlingMs = 1500;

/** Keeps the end of the thread in view until the reader goes somewhere else. */
export function useFollowing({ messages, conversation, running }: ThreadState): Following {
  const box = useRef<HTMLDivElement>(null);
  const at = useRef({ follows: true, top: 0, movedAt: 0, openedAt: 0, isRunning: false });
  const [isAtEnd, setAtEnd] = useState(true);
  at.current.isRunning = running !== undefined;

  const pin = (): void => {
    const element = box.current;
    if (element === null || !at.current.follows) return;
    // What greets people in an empty conversation is read from its beginning.
    element.scrollTop = element.querySelector("[data-message]") ? element.scrollHeight : 0;
  };
  const toEnd = (): void => {
    at.current.follows = true;
    at.current.openedAt = performance.now();
    setAtEnd(true);
    pin();
  };
  const asked = messages.findLast(({ role }) => role === "user")?.id;
  useLayoutEffect(toEnd, [conversation?.id, asked]);
  useLayoutEffect(pin, [messages]);
  // A reader further up is left alone, and scrolls without the work of an observer.
  useEffect(() => {
    const column = box.current?.firstElementChild;
    if (!column || !isAtEnd) return undefined;
    let isNews = false;
    const observer = new ResizeObserver((entries) => {
      const isSettling = performance.now() - at.current.openedAt < settlingMs;
      // A composer that grows takes the room from the end of the thread. First comes how it is.
      const isRoom = isNews && entries.some(({ target }) => target === box.current);
      isNews = true;
      if (at.current.isRunning || isSettling || isRoom) pin();
    });
    observer.observe(column);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [isAtEnd]);

  const move = (): void => {
    at.current.movedAt = performance.now();
  };
  return {
    box,
    isAtEnd,
    toEnd,
    onWheel: move,
    onTouchMove: move,
    onKeyDown: move,
    // Going to a message by a link or a key leaves the end.
    onFocusIn: move,
    onPointerDown: ({ target }) => {
      move();
      // If you open a block, you want to read it where it is.
      if (target instanceof Element && target.closest("summary")) at.current.follows = false;
    },
    onScroll: () => {
      const element = box.current;
      if (element === null) return;
      const isThere = element.scrollHeight - element.scrollTop - element.clientHeight < near;
      const isUp = element.scrollTop < at.current.top;
      const isOwn = performance.now() - at.current.movedAt < ownMs;
      at.current.top = element.scrollTop;
      if (isThere) at.current.follows = true;
      else if (isUp && isOwn) at.current.follows = false;
      setAtEnd(isThere || at.current.follows);
    },
  };
}
