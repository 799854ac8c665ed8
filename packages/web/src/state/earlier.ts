import type { Loaded } from "../api.ts";
import type { ThreadState } from "./app-state.ts";
import { sayTrouble, setThread, type StateParts } from "./parts.ts";

type Shown = Pick<ThreadState, "conversation" | "messages" | "branchings" | "problems">;

export const shownOf = ({ conversation, messages, branchings, problems = [] }: Loaded): Shown => ({
  conversation,
  messages,
  branchings,
  problems,
});

/** Reads what comes before the latest messages, page by page, while these are shown already. */
export function createFiller({
  api,
  box,
}: StateParts): (conversationId: string, first: string | undefined) => Promise<void> {
  let filled = 0;
  return async (conversationId, first) => {
    const nth = ++filled;
    try {
      for (let earlier = first; earlier !== undefined;) {
        const found = await api.load(conversationId, earlier);
        const { thread } = box.get();
        if (nth !== filled || thread.conversation?.id !== conversationId) return;
        const { messages, branchings, problems } = shownOf(found);
        setThread(box, {
          messages: [...messages, ...thread.messages],
          branchings: [...branchings, ...thread.branchings],
          problems: [...problems, ...thread.problems],
        });
        ({ earlier } = found);
      }
    } catch (error) {
      if (nth === filled) sayTrouble(box, error);
    }
  };
}

/** Messages that are there already and come before the latest: each message names what it follows. */
function keptBefore({ messages }: ThreadState, found: Loaded): ThreadState["messages"] {
  const first = found.messages[0]?.id;
  const place = messages.findIndex(({ id }) => id === first);
  return found.earlier === undefined || place === -1 ? [] : messages.slice(0, place);
}

export const keepsSome = (thread: ThreadState, found: Loaded): boolean =>
  keptBefore(thread, found).length > 0;

/** The latest messages, behind those that are kept; the answer that is coming stays as it is shown. */
export function behindKept(thread: ThreadState, found: Loaded): Shown {
  const shown = shownOf(found);
  const kept = keptBefore(thread, found);
  const ids = new Set(kept.map(({ id }) => id));
  const live = thread.messages.filter(({ id }) => id === found.running?.turnId);
  return {
    ...shown,
    messages: [...kept, ...shown.messages, ...live],
    branchings: [
      ...thread.branchings.filter(({ messageId }) => ids.has(messageId)),
      ...shown.branchings,
    ],
  };
}
