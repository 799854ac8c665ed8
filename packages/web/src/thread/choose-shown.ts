import type { UIMessage } from "@mull/ui-messages";

/** As many messages as a page builds without a pause that is felt; a browser stands still over thousands. */
export const mostAtOnce = 300;

export interface ShownStart {
  readonly at: number;
  /** The message that it began with. */
  readonly id?: string | undefined;
}

/** Where it began before, wherever that is by now: more may have been read before it. */
export const startBefore = (messages: readonly UIMessage[], { at, id }: ShownStart): number =>
  id === undefined
    ? at
    : Math.max(
        at,
        messages.findIndex((message) => message.id === id),
      );

/**
 * Where what is shown of a conversation begins: at a question, with at least the latest messages
 * behind it. `wanted` is where it began before; it does not move on while a conversation grows.
 */
export function chooseStart(messages: readonly UIMessage[], wanted: number): number {
  let start = Math.min(wanted, Math.max(0, messages.length - mostAtOnce));
  while (start > 0 && messages[start]?.role !== "user") start--;
  return start;
}
