import type { UIMessage } from "@mull/ui-messages";

/** As many messages as a page builds without a pause that is felt; a browser stands still over thousands. */
export const mostAtOnce = 300;

/**
 * Where what is shown of a conversation begins: at a question, with at least the latest messages
 * behind it. `wanted` is where it began before; it does not move on while a conversation grows.
 */
export function chooseStart(messages: readonly UIMessage[], wanted: number): number {
  let start = Math.min(wanted, Math.max(0, messages.length - mostAtOnce));
  while (start > 0 && messages[start]?.role !== "user") start--;
  return start;
}
