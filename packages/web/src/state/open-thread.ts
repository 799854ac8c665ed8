import { ApiError, wordsOf, type Conversation, type Loaded } from "../api.ts";
import { emptyThread, firstChoice, type ThreadState } from "./app-state.ts";
import { restoreFiles } from "./files.ts";
import { readDraft, readEdit, setThread, type StateParts } from "./parts.ts";
import type { Follower } from "./run-turn.ts";

export interface Opener {
  /** Shows where a conversation will be, with what was written for it. */
  readonly prepare: (conversationId: string | undefined) => void;
  /** Shows a conversation, or an empty page for a new one. */
  readonly open: (conversationId: string | undefined) => Promise<void>;
  /** Reads the open conversation again. */
  readonly load: (conversationId: string) => Promise<void>;
}

export function createOpener(parts: StateParts, follower: Follower): Opener {
  const { api, box } = parts;
  let opened = 0;

  const prepare = (conversationId: string | undefined): void => {
    box.set((before) => {
      const isSame =
        conversationId !== undefined && before.thread.conversation?.id === conversationId;
      // What is written before it is there is written for it already.
      const known = before.list.conversations.find(({ id }) => id === conversationId);
      const fresh = conversationId !== undefined && {
        conversation: known ?? unread(conversationId),
        isLoading: true,
      };
      return {
        ...before,
        draft: readDraft(parts, conversationId),
        choice: conversationId === undefined ? firstChoice(before) : before.choice,
        // What can still be undone can be undone from anywhere.
        notice: isSame || before.notice?.action !== undefined ? before.notice : undefined,
        thread: isSame ? before.thread : { ...emptyThread, ...fresh },
      };
    });
    void restoreFiles(parts, conversationId);
  };

  return {
    prepare,
    open: async (conversationId) => {
      follower.leave();
      const nth = ++opened;
      prepare(conversationId);
      if (conversationId === undefined) return;
      try {
        const found = await api.load(conversationId);
        // Another one was opened meanwhile: this one comes too late.
        if (nth !== opened) return;
        const { model, level } = found.conversation;
        box.set((before) => ({
          ...before,
          choice: { model: model ?? before.choice.model, level: level ?? before.choice.level },
          thread: { ...emptyThread, ...shownOf(found), editing: editingOf(parts, found) },
        }));
        if (found.running?.turnId !== undefined) await follower.follow(found.running.turnId);
      } catch (error) {
        if (nth !== opened) return;
        // The next question is of a new conversation only where there surely is none of this name.
        const isGone = error instanceof ApiError && error.status === 404;
        const rest = { isLoading: false, trouble: wordsOf(error) };
        setThread(box, isGone ? { ...rest, conversation: undefined } : rest);
      }
    },
    // The stored form is the truth; blocks keep their place, so what was opened stays open.
    load: async (conversationId) => {
      const found = await api.load(conversationId);
      const { thread } = box.get();
      if (thread.conversation?.id !== conversationId) return;
      const live = thread.messages.find(({ id }) => id === found.running?.turnId);
      const messages = live === undefined ? found.messages : [...found.messages, live];
      setThread(box, { ...shownOf(found), messages, isLoading: false, trouble: undefined });
    },
  };
}

const unread = (id: string): Conversation => ({
  id,
  title: "",
  head: null,
  createdAt: 0,
  updatedAt: 0,
});

/** The question that was being changed when the conversation was left. */
const editingOf = (parts: StateParts, { messages }: Loaded): string | undefined =>
  messages.findLast(({ id, role }) => role === "user" && readEdit(parts, id) !== "")?.id;

const shownOf = ({
  conversation,
  messages,
  branchings,
  problems = [],
}: Loaded): Pick<ThreadState, "conversation" | "messages" | "branchings" | "problems"> => ({
  conversation,
  messages,
  branchings,
  problems,
});
