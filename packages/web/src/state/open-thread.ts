import { ApiError, wordsOf, type Conversation, type Loaded } from "../api.ts";
import { emptyThread, firstChoice, type ThreadState } from "./app-state.ts";
import { behindKept, createFiller, keepsSome, shownOf } from "./earlier.ts";
import { restoreFiles } from "./files.ts";
import { readDraft, readEdit, setThread, unqueue, type StateParts } from "./parts.ts";
import type { Follower } from "./run-turn.ts";
import { dropTaken } from "./sent.ts";

export interface Opener {
  /** Shows where a conversation will be, with what was written for it. */
  readonly prepare: (conversationId: string | undefined) => void;
  /** Shows a conversation, or an empty page for a new one. */
  readonly open: (conversationId: string | undefined) => Promise<void>;
  /** Reads the open conversation again. */
  readonly load: (conversationId: string) => Promise<void>;
  /** A turn begins: what is being read of the open conversation would come too late. */
  readonly overtake: () => void;
}

/** A question was sent before its conversation existed, and waits for it. */
const isWaiting = ({ queued, running }: ThreadState): boolean =>
  queued !== undefined && running === undefined;

export function createOpener(
  parts: StateParts,
  follower: Follower,
  askQueued: () => Promise<void>,
): Opener {
  const { api, box } = parts;
  let opened = 0;
  const fill = createFiller(parts);

  const prepare = (conversationId: string | undefined): void => {
    box.set((before) => {
      const waits = isWaiting(before.thread);
      const isSame =
        before.thread.conversation?.id === conversationId &&
        (conversationId !== undefined || waits);
      // What is written before it is there is written for it already.
      const known = before.list.conversations.find(({ id }) => id === conversationId);
      const fresh = conversationId !== undefined && {
        conversation: known ?? unread(conversationId),
        isLoading: true,
      };
      return {
        ...before,
        draft: isSame && waits ? before.draft : readDraft(parts, conversationId),
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
      if (conversationId === undefined) return askQueued();
      const { choice } = box.get();
      try {
        const found = await api.load(conversationId);
        // Another one was opened meanwhile: this one comes too late.
        if (nth !== opened) return;
        const { model = choice.model, level = choice.level } = found.conversation;
        box.set((before) => ({
          ...before,
          // A choice that was made meanwhile is on its way to the server.
          choice: before.choice === choice ? { model, level } : before.choice,
          thread: { ...emptyThread, ...shownOf(found), ...goesOn(parts, before.thread, found) },
        }));
        void fill(conversationId, found.earlier);
        await dropTaken(parts, found);
        if (nth !== opened) return;
        if (found.running?.turnId !== undefined) await follower.follow(found.running.turnId);
        else await askQueued();
      } catch (error) {
        if (nth !== opened) return;
        // The next question is of a new conversation only if there surely is none of this name.
        const isGone = error instanceof ApiError && error.status === 404;
        const rest = { isLoading: false, trouble: wordsOf(error) };
        setThread(box, isGone ? { ...rest, conversation: undefined } : rest);
        if (isWaiting(box.get().thread)) unqueue(parts);
      }
    },
    // The stored form is the truth; blocks keep their place, so what was opened stays open.
    load: async (conversationId) => {
      const nth = opened;
      const found = await api.load(conversationId);
      const { thread } = box.get();
      if (nth !== opened || thread.conversation?.id !== conversationId) return;
      setThread(box, { ...behindKept(thread, found), isLoading: false, trouble: undefined });
      if (!keepsSome(thread, found)) void fill(conversationId, found.earlier);
    },
    overtake: () => {
      opened++;
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

/** The edits that were open when the conversation was read, or left. */
function goesOn(
  parts: StateParts,
  before: ThreadState,
  { messages }: Loaded,
): Pick<ThreadState, "editing"> & Partial<Pick<ThreadState, "queued" | "queuedFiles">> {
  const { editing, queued, queuedFiles } = before;
  const changed = messages.findLast(
    ({ id, role }) => role === "user" && readEdit(parts, id) !== "",
  );
  const open = messages.find(({ id }) => id === editing);
  return {
    editing: (changed ?? open)?.id,
    ...(isWaiting(before) && { queued, queuedFiles }),
  };
}
