import { levels } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import { ApiError, wordsOf, type Choice, type ForkFrom } from "../api.ts";
import { turnDial } from "../dial/turn-dial.ts";
import { textOf } from "../thread/read-turn.ts";
import type { RetryHow } from "../thread/turn-actions.ts";
import { emptyThread, firstChoice } from "./app-state.ts";
import { keepDraft, readDraft, setNotice, setThread, tell, type StateParts } from "./parts.ts";
import type { Preferences } from "./preferences.ts";
import { createFollower } from "./run-turn.ts";

export interface ThreadActions {
  readonly open: (conversationId: string | undefined) => Promise<void>;
  readonly send: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly retry: (answerId: string, how?: RetryHow) => Promise<void>;
  readonly edit: (questionId: string, text: string) => Promise<void>;
  readonly fork: (from: ForkFrom) => Promise<void>;
  readonly goTo: (head: string) => Promise<void>;
  readonly choose: (choice: Partial<Choice>) => Promise<void>;
  readonly unqueue: () => void;
  readonly reconnect: () => Promise<void>;
  /** Looks what another tab or device has done meanwhile. */
  readonly lookAgain: () => Promise<void>;
}

export function createThreadActions(
  parts: StateParts,
  refreshList: () => Promise<void>,
  prefer: (change: Partial<Preferences>) => void,
): ThreadActions {
  const { api, box, newKey } = parts;
  const thread = (): ReturnType<typeof box.get>["thread"] => box.get().thread;

  /** The stored form is the truth; blocks keep their place, so what was opened stays open. */
  const load = async (conversationId: string): Promise<void> => {
    const loaded = await api.load(conversationId);
    if (thread().conversation?.id !== conversationId) return;
    const { conversation, branchings, running, problems = [] } = loaded;
    const live = thread().messages.find(({ id }) => id === running?.turnId);
    const messages = live === undefined ? loaded.messages : [...loaded.messages, live];
    setThread(box, {
      conversation,
      messages,
      branchings,
      problems,
      isLoading: false,
      trouble: undefined,
    });
  };

  const finish = async (conversationId: string): Promise<void> => {
    try {
      await load(conversationId);
    } catch (error) {
      setNotice(box, { text: wordsOf(error), isTrouble: true });
    }
    if (thread().conversation?.id !== conversationId) return;
    const { queued } = thread();
    setThread(box, { running: undefined, queued: undefined });
    void refreshList();
    if (queued !== undefined) await ask(queued);
  };

  const follower = createFollower(parts, finish);

  /** Runs what starts a turn; the words go back into the composer when it was not taken. */
  const begin = async (
    text: string | undefined,
    start: (conversationId: string, key: string) => Promise<Response>,
  ): Promise<void> => {
    setNotice(box, undefined);
    setThread(box, {
      running: { turnId: undefined, line: "live", isStopping: false },
      trouble: undefined,
      findings: [],
    });
    try {
      const conversationId = await ensureConversation();
      const response = await start(conversationId, newKey());
      if (thread().conversation?.id !== conversationId) return;
      void refreshList();
      await follower.follow(undefined, response);
    } catch (error) {
      setThread(box, { running: undefined });
      await explain(error, text);
    }
  };

  const explain = async (error: unknown, text: string | undefined): Promise<void> => {
    const { conversation, messages } = thread();
    setThread(box, { messages: messages.filter(({ id }) => id !== pendingId) });
    if (text !== undefined && box.get().draft === "") keepDraft(parts, text);
    if (error instanceof ApiError && error.status === 401) return;
    setNotice(box, { text: wordsOf(error), isTrouble: true });
    const isStale = error instanceof ApiError && error.status === 409;
    if (isStale && conversation !== undefined) await open(conversation.id);
  };

  const ensureConversation = async (): Promise<string> => {
    const { conversation } = thread();
    if (conversation !== undefined) return conversation.id;
    const made = await api.create(box.get().choice);
    setThread(box, { conversation: made });
    parts.setAddress(made.id);
    return made.id;
  };

  const ask = async (text: string): Promise<void> => {
    const shown: UIMessage = { id: pendingId, role: "user", parts: [{ type: "text", text }] };
    setThread(box, { messages: [...thread().messages, shown] });
    await begin(text, (id, key) => api.ask(id, text, box.get().choice, key));
  };

  const open = async (conversationId: string | undefined): Promise<void> => {
    follower.leave();
    const isSame = thread().conversation?.id === conversationId && conversationId !== undefined;
    const known = box.get().list.conversations.find(({ id }) => id === conversationId);
    box.set((before) => ({
      ...before,
      draft: readDraft(parts, conversationId),
      choice: conversationId === undefined ? firstChoice(before) : before.choice,
      notice: isSame ? before.notice : undefined,
      thread: isSame
        ? before.thread
        : { ...emptyThread, conversation: known, isLoading: conversationId !== undefined },
    }));
    if (conversationId === undefined) return;
    try {
      const {
        conversation,
        messages,
        branchings,
        running,
        problems = [],
      } = await api.load(conversationId);
      box.set((before) => ({
        ...before,
        choice: {
          model: conversation.model ?? before.choice.model,
          level: conversation.level ?? before.choice.level,
        },
        thread: { ...emptyThread, conversation, messages, branchings, problems },
      }));
      if (running?.turnId !== undefined) await follower.follow(running.turnId);
    } catch (error) {
      setThread(box, { isLoading: false, trouble: wordsOf(error) });
    }
  };

  return {
    open,
    send: async () => {
      const text = box.get().draft;
      if (text.trim() === "") return;
      const { running, queued } = thread();
      if (running !== undefined && queued !== undefined) return;
      keepDraft(parts, "");
      if (running === undefined) await ask(text);
      else setThread(box, { queued: text });
    },
    unqueue: () => {
      const { queued } = thread();
      setThread(box, { queued: undefined });
      if (queued !== undefined && box.get().draft === "") keepDraft(parts, queued);
    },
    stop: async () => {
      const { conversation, running } = thread();
      if (conversation === undefined || running === undefined || running.isStopping) return;
      setThread(box, { running: { ...running, isStopping: true } });
      await api.stop(conversation.id).catch((error: unknown) => {
        setNotice(box, { text: wordsOf(error), isTrouble: true });
      });
    },
    retry: async (answerId, how = {}) => {
      const { choice } = box.get();
      const { room, fix, model = choice.model } = how;
      const { level: wanted = choice.level } = how;
      const level = wanted === "lower" ? turnDial(levels, choice.level, -1) : wanted;
      const again = { model, level, ...(room !== undefined && { room }), ...(fix && { fix }) };
      const index = thread().messages.findIndex(({ id }) => id === answerId);
      const question = thread()
        .messages.slice(0, index)
        .findLast(({ role }) => role === "user");
      if (question === undefined) return;
      const kept = thread().messages.slice(0, thread().messages.indexOf(question) + 1);
      setThread(box, { messages: kept });
      await begin(undefined, (id, key) => api.retry(id, question.id, again, key));
    },
    edit: async (questionId, text) => {
      const index = thread().messages.findIndex(({ id }) => id === questionId);
      const before = thread().messages[index];
      setThread(box, { editing: undefined });
      if (before === undefined || text.trim() === "" || text === textOf(before)) return;
      const shown: UIMessage = { id: pendingId, role: "user", parts: [{ type: "text", text }] };
      setThread(box, { messages: [...thread().messages.slice(0, index), shown] });
      await begin(text, (id, key) => api.edit(id, questionId, text, box.get().choice, key));
    },
    fork: async (from) => {
      const { conversation } = thread();
      if (conversation === undefined) return;
      try {
        const made = await api.fork(conversation.id, from);
        await refreshList();
        parts.setAddress(made.id);
        await open(made.id);
        tell(box, `Forked. This is the new conversation “${made.title}”.`);
      } catch (error) {
        await explain(error, undefined);
      }
    },
    goTo: async (head) => {
      const { conversation, running } = thread();
      if (conversation === undefined || running !== undefined) return;
      try {
        await api.change(conversation.id, { head });
        await load(conversation.id);
        tell(box, "Another version is shown.");
      } catch (error) {
        await explain(error, undefined);
      }
    },
    choose: async (change) => {
      box.set((before) => ({ ...before, choice: { ...before.choice, ...change } }));
      const { conversation, running } = thread();
      prefer(change);
      if (conversation === undefined) return;
      const isRunning = running !== undefined;
      const keep = isRunning
        ? api.use(conversation.id, box.get().choice)
        : api.change(conversation.id, change);
      await Promise.resolve(keep).catch((error: unknown) => {
        setNotice(box, { text: wordsOf(error), isTrouble: true });
      });
    },
    lookAgain: async () => {
      const { conversation, running, isLoading, editing } = thread();
      if (conversation === undefined || running !== undefined || isLoading) return;
      if (editing !== undefined) return;
      const found = await api.load(conversation.id).catch(() => undefined);
      if (found === undefined || thread().running !== undefined) return;
      const isOther = found.conversation.head !== conversation.head || found.running !== null;
      if (isOther && thread().conversation?.id === conversation.id) await open(conversation.id);
    },
    reconnect: async () => {
      const { conversation } = thread();
      if (conversation !== undefined) await open(conversation.id);
    },
  };
}

/** The question as it is shown until the server has named it. */
const pendingId = "pending";
