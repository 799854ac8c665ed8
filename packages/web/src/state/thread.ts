import type { UIMessage } from "@mull/ui-messages";
import { levels } from "mull";
import type { CallVerdict, Choice, ForkFrom } from "../api.ts";
import { turnDial } from "../dial/turn-dial.ts";
import { filesIn, textOf } from "../thread/read-turn.ts";
import type { RetryHow } from "../thread/turn-actions.ts";
import { isToolPart } from "../tools/describe-tool.ts";
import type { AppState, UsedModel } from "./app-state.ts";
import { createFileActions, filesOf, nameFiles, type FileActions } from "./files.ts";
import { describeHandover, stepsIn } from "./handover.ts";
import { createTurns, type InTurn } from "./in-turn.ts";
import { createOpener, type Opener } from "./open-thread.ts";
import {
  keepDraft,
  readEdit,
  sayTrouble,
  setNotice,
  setThread,
  storeDraft,
  storeEdit,
  tell,
  unqueue,
  type StateParts,
} from "./parts.ts";
import type { Preferences } from "./preferences.ts";
import { createFollower } from "./run-turn.ts";
import { createStarter, pendingQuestion, stopTurn, type Starter } from "./start-turn.ts";

export interface ThreadActions extends FileActions {
  readonly prepare: (conversationId: string | undefined) => void;
  readonly open: (conversationId: string | undefined) => Promise<void>;
  readonly send: () => Promise<void>;
  /** Asks this; what is being written stays. */
  readonly ask: (text: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly retry: (answerId: string, how?: RetryHow) => Promise<void>;
  /** Says of a call that waits whether it runs. After the last one the answer goes on. */
  readonly decide: (verdict: CallVerdict) => Promise<void>;
  readonly edit: (questionId: string, text: string) => Promise<void>;
  /** Opens a question to change it, or closes it as it was. */
  readonly setEditing: (questionId: string | undefined) => void;
  /** The changed words of a question that was left before it was asked. */
  readonly readEdit: (questionId: string) => string;
  readonly keepEdit: (questionId: string, text: string) => void;
  readonly fork: (from: ForkFrom) => Promise<void>;
  readonly goTo: (head: string) => Promise<void>;
  readonly choose: (choice: Partial<Choice>) => Promise<void>;
  /** What models are told before all else; empty takes it away. Rejects if the server refuses. */
  readonly setSystem: (system: string) => Promise<void>;
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
  const { box } = parts;
  const follower = createFollower(parts, async (conversationId) => {
    await opener.load(conversationId).catch((error: unknown) => sayTrouble(box, error));
    if (box.get().thread.conversation?.id !== conversationId) return;
    setThread(box, { running: undefined });
    void refreshList();
    await askQueued();
  });
  const askQueued = async (): Promise<void> => {
    const { queued, queuedFiles } = box.get().thread;
    if (queued === undefined || mustWait(box.get())) return;
    setThread(box, { queued: undefined, queuedFiles: [] });
    keepDraft(parts, box.get().draft);
    await starter.ask(queued, queuedFiles);
  };
  const opener: Opener = createOpener(parts, follower, askQueued);
  const starter: Starter = createStarter(parts, follower, opener, refreshList);
  const files = createFileActions(parts);
  // Of two choices in a row the later one counts, whichever way they take to the server.
  const inTurn = createTurns();
  return {
    prepare: opener.prepare,
    open: opener.open,
    ...files,
    ...writingActions(parts, starter, files),
    ...againActions(parts, starter),
    ...branchActions(parts, opener, starter, refreshList),
    ...lookingActions(parts, opener),
    setSystem: (system) => setSystem(parts, opener, system),
    choose: (change) => {
      prefer(change);
      return choose(parts, change, inTurn);
    },
  };
}

/** An answer is coming, or who asks and in which conversation is not there yet. */
const mustWait = ({ phase, thread }: AppState): boolean =>
  phase !== "ready" || thread.isLoading || thread.running !== undefined;

function writingActions(
  parts: StateParts,
  { ask }: Starter,
  { whenRead }: FileActions,
): Pick<ThreadActions, "send" | "ask" | "unqueue" | "stop"> {
  const { box } = parts;
  return {
    send: async () => {
      const here = box.get().thread.conversation?.id;
      // Who drops a file and presses Enter at once means both.
      const reading = whenRead();
      if (reading !== undefined) await reading;
      const { draft, thread } = box.get();
      if (thread.conversation?.id !== here) return;
      const files = filesOf(box.get());
      if (draft.trim() === "" && files.length === 0) return;
      const waits = mustWait(box.get());
      if (waits && thread.queued !== undefined) return;
      if (waits) setThread(box, { queued: draft, queuedFiles: files });
      keepDraft(parts, "");
      if (!waits) await ask(draft, files);
    },
    ask: async (text) => {
      const { draft, thread } = box.get();
      if (!mustWait(box.get())) return ask(text);
      if (thread.running !== undefined || thread.queued !== undefined) return;
      setThread(box, { queued: text });
      keepDraft(parts, draft);
    },
    unqueue: () => unqueue(parts),
    stop: async () => {
      const { conversation, running, queued } = box.get().thread;
      if (running === undefined || running.isStopping) return;
      setThread(box, { running: { ...running, isStopping: true } });
      // Who stops wants quiet: what was queued would begin the next answer at once.
      if (queued !== undefined) {
        unqueue(parts);
        tell(box, "Your queued message is back in the composer.");
      }
      if (conversation !== undefined) await stopTurn(parts, conversation.id);
    },
  };
}

/** Another answer or version has to wait for the one that is coming; that is said. */
function isHeldUp({ box }: StateParts): boolean {
  if (box.get().thread.running === undefined) return false;
  setNotice(box, { text: "An answer is still coming: wait for it, or stop it.", isTrouble: false });
  return true;
}

function againActions(
  state: StateParts,
  { begin, explain }: Starter,
): Pick<ThreadActions, "retry" | "decide" | "edit" | "setEditing" | "readEdit" | "keepEdit"> {
  const { api, box } = state;
  return {
    readEdit: (questionId) => readEdit(state, questionId),
    keepEdit: (questionId, text) => storeEdit(state, questionId, text),
    setEditing: (editing) => {
      const before = box.get().thread.editing;
      if (editing === undefined && before !== undefined) storeEdit(state, before, "");
      setThread(box, { editing });
    },
    retry: async (answerId, how = {}) => {
      const { choice, thread } = box.get();
      if (isHeldUp(state)) return;
      const { room, fix, model = choice.model, level: wanted = choice.level } = how;
      const level = wanted === "lower" ? turnDial(levels, choice.level, -1) : wanted;
      const again = { model, level, ...(room !== undefined && { room }), ...(fix && { fix }) };
      const index = thread.messages.findIndex(({ id }) => id === answerId);
      const before = thread.messages.slice(0, Math.max(0, index));
      const asked = before.findLastIndex(({ role }) => role === "user");
      const question = before[asked];
      if (question === undefined) return;
      await begin({
        messages: before.slice(0, asked + 1),
        send: (id, key) => api.retry(id, question.id, again, key),
      });
    },
    decide: async (verdict) => {
      const { choice, thread } = box.get();
      if (thread.conversation === undefined || isHeldUp(state)) return;
      const { id } = thread.conversation;
      try {
        const answer = await api.decide(id, verdict, choice, state.newKey());
        const { conversation, messages: shown } = box.get().thread;
        const messages = withVerdict(shown, verdict);
        if (conversation?.id !== id) await answer.body?.cancel();
        // Without a turn, other calls are still to be decided.
        else if (answer.headers.has("x-mull-turn"))
          await begin({ messages, send: () => Promise.resolve(answer) });
        else setThread(box, { messages });
      } catch (error) {
        await explain(error);
      }
    },
    edit: async (questionId, text) => {
      const { messages } = box.get().thread;
      if (isHeldUp(state)) return;
      const index = messages.findIndex(({ id }) => id === questionId);
      const before = messages[index];
      setThread(box, { editing: undefined });
      storeEdit(state, questionId, "");
      if (before === undefined || text.trim() === "" || text === textOf(before)) return;
      const parts = [...filesIn(before), { type: "text" as const, text }];
      await begin({
        text,
        messages: [...messages.slice(0, index), pendingQuestion(parts)],
        send: (id, key) => api.edit(id, questionId, parts, box.get().choice, key),
      });
    },
  };
}

/** The decision, if the call is shown. */
const withVerdict = (
  messages: readonly UIMessage[],
  { callId, run, reason }: CallVerdict,
): readonly UIMessage[] =>
  messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      isToolPart(part) && part.toolCallId === callId && part.state === "approval-requested"
        ? {
            ...part,
            state: "approval-responded",
            approval: { id: callId, approved: run, ...(reason !== undefined && { reason }) },
          }
        : part,
    ),
  }));

function branchActions(
  { api, box, setAddress }: StateParts,
  { open, load }: Opener,
  { explain }: Starter,
  refreshList: () => Promise<void>,
): Pick<ThreadActions, "fork" | "goTo"> {
  let isForking = false;
  return {
    fork: async (from) => {
      const { conversation } = box.get().thread;
      // A second click means the first one.
      if (conversation === undefined || isForking) return;
      isForking = true;
      try {
        const made = await api.fork(conversation.id, from);
        await refreshList();
        setAddress(made.id);
        await open(made.id);
        const text = `Forked. This is the new conversation “${made.title}”.`;
        setNotice(box, { text, isTrouble: false });
      } catch (error) {
        await explain(error);
      } finally {
        isForking = false;
      }
    },
    goTo: async (head) => {
      const { conversation, running } = box.get().thread;
      if (conversation === undefined) return;
      if (running !== undefined) {
        const text = "You can see other versions when this answer is complete.";
        setNotice(box, { text, isTrouble: false });
        return;
      }
      try {
        await api.change(conversation.id, { head });
        // If another question is running, its end reloads the thread anyway.
        if (box.get().thread.running !== undefined) return;
        await load(conversation.id);
        tell(box, "Another version is shown.");
      } catch (error) {
        await explain(error);
      }
    },
  };
}

function lookingActions(
  { api, box }: StateParts,
  { open }: Opener,
): Pick<ThreadActions, "lookAgain" | "reconnect"> {
  return {
    lookAgain: async () => {
      const { conversation, running, isLoading, editing } = box.get().thread;
      if (conversation === undefined || running !== undefined || isLoading) return;
      if (editing !== undefined) return;
      const found = await api.load(conversation.id).catch(() => undefined);
      const now = box.get().thread;
      if (found === undefined || now.running !== undefined || now.editing !== undefined) return;
      const isOther = found.conversation.head !== conversation.head || found.running !== null;
      // It could not be read when it was opened, for want of a network.
      const isUnread = now.trouble !== undefined;
      if ((isOther || isUnread) && now.conversation?.id === conversation.id)
        await open(conversation.id);
    },
    reconnect: async () => {
      const { conversation } = box.get().thread;
      if (conversation !== undefined) await open(conversation.id);
    },
  };
}

async function choose(parts: StateParts, change: Partial<Choice>, inTurn: InTurn): Promise<void> {
  const { api, box } = parts;
  const { model } = box.get().choice;
  box.set((before) => ({ ...before, choice: { ...before.choice, ...change } }));
  const { conversation, running } = box.get().thread;
  if (conversation === undefined) return;
  const { choice } = box.get();
  await inTurn(async () => {
    if (running === undefined) await api.change(conversation.id, change);
    else {
      const found = await api.use(conversation.id, choice);
      if (choice.model !== model || found.answering !== undefined)
        handOver(parts, choice.model, found);
    }
  }).catch((error: unknown) => sayTrouble(box, error));
}

/** The step under way stays with who began it: otherwise people would take its words for the other's. */
function handOver({ box }: StateParts, ref: string, { answering, tookOver }: UsedModel): void {
  const { running, messages } = box.get().thread;
  const to = ref.slice(ref.indexOf(":") + 1);
  if (running === undefined || !tookOver) return;
  const { handover: _, ...rest } = running;
  const from = answering === undefined ? {} : { from: answering };
  const handover = { ...from, to, steps: stepsIn(messages) };
  setThread(box, { running: answering === to ? rest : { ...rest, handover } });
  if (answering !== to) tell(box, describeHandover(handover));
}

/** Before the first question there is no conversation to keep it: then one is made. */
async function setSystem(parts: StateParts, { open }: Opener, system: string): Promise<void> {
  const { api, box } = parts;
  const { thread, choice, draft } = box.get();
  const { conversation } = thread;
  if (conversation !== undefined) {
    const changed = await api.change(conversation.id, { system });
    if (box.get().thread.conversation?.id === changed.id) setThread(box, { conversation: changed });
    return;
  }
  if (system.trim() === "") return;
  const made = await api.create(choice, system);
  const files = filesOf(box.get());
  nameFiles(parts, made.id, files);
  storeDraft(parts, undefined, "");
  storeDraft(parts, made.id, draft);
  parts.setAddress(made.id);
  await open(made.id);
}
