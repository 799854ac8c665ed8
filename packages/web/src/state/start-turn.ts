import type { UIMessage } from "@mull/ui-messages";
import { ApiError } from "../api.ts";
import type { UIFilePart } from "../thread/read-turn.ts";
import { nameFiles, setFiles } from "./files.ts";
import type { Opener } from "./open-thread.ts";
import {
  keepDraft,
  placeOf,
  sayTrouble,
  setNotice,
  setThread,
  settleSent,
  storeDraft,
  type StateParts,
} from "./parts.ts";
import type { Follower } from "./run-turn.ts";
import { forgetSent, noteSent } from "./sent.ts";

/** What starts a turn. */
export interface Start {
  /** The question; it goes back into the composer if it is refused. */
  readonly text?: string;
  /** Its files; they go back there, too. */
  readonly files?: readonly UIFilePart[];
  /** What is shown until the server has named it; what was shown before comes back when it is not taken. */
  readonly messages: readonly UIMessage[];
  readonly send: (conversationId: string, key: string) => Promise<Response>;
}

export interface Starter {
  readonly begin: (start: Start) => Promise<void>;
  readonly ask: (text: string, files?: readonly UIFilePart[]) => Promise<void>;
  /** Says what went wrong, and shows what another tab made of the conversation. */
  readonly explain: (error: unknown) => Promise<void>;
}

/** Asks the server to stop; a stop that does not arrive can be asked for again. */
export async function stopTurn(
  { api, box }: Pick<StateParts, "api" | "box">,
  conversationId: string,
): Promise<void> {
  try {
    await api.stop(conversationId);
  } catch (error) {
    const { conversation, running } = box.get().thread;
    if (conversation?.id !== conversationId) return;
    if (running !== undefined) setThread(box, { running: { ...running, isStopping: false } });
    sayTrouble(box, error);
  }
}

/** A question as it is shown until the server has named it. */
export const pendingQuestion = (parts: UIMessage["parts"]): UIMessage => ({
  id: "pending",
  role: "user",
  parts,
});

export function createStarter(
  parts: StateParts,
  follower: Follower,
  { open, overtake }: Pick<Opener, "open" | "overtake">,
  refreshList: () => Promise<void>,
): Starter {
  const { api, box, newKey, shelf } = parts;
  /** Sent, and never heard of again: sent once more it is the same question, asked once. */
  let unanswered: { readonly about: string; readonly key: string } | undefined;

  const explain = async (error: unknown): Promise<void> => {
    sayTrouble(box, error);
    const { conversation } = box.get().thread;
    if (isStale(error) && conversation !== undefined) await open(conversation.id);
  };

  /** Asks the server; what it does not take goes back to where it was written. */
  const send = async (start: Start): Promise<readonly [string, Response] | undefined> => {
    const { text, files = [] } = start;
    const before = box.get().thread;
    let id = before.conversation?.id;
    overtake();
    showSending(parts, start);
    let sent = unanswered;
    unanswered = undefined;
    try {
      id = await ensureConversation(parts, start);
      if (text !== undefined) noteSent(parts, id, text, before.messages);
      const about = JSON.stringify([id, text, files.map(({ url }) => url), box.get().choice]);
      if (text === undefined || sent?.about !== about) sent = { about, key: newKey() };
      return [id, await start.send(id, sent.key)];
    } catch (error) {
      // Whether it came to a server that cannot be reached, the conversation will show.
      const isRefused = error instanceof ApiError && error.status !== 0;
      if (!isRefused && text !== undefined) unanswered = sent;
      if (isRefused && id !== undefined) forgetSent(parts, id);
      if (giveBack(parts, start, id, before.messages)) await explain(error);
      else sayTrouble(box, error);
      return undefined;
    }
  };

  const begin = async (start: Start): Promise<void> => {
    const [conversationId, response] = (await send(start)) ?? [];
    if (conversationId === undefined || response === undefined) return;
    const { text, files = [] } = start;
    forgetSent(parts, conversationId);
    void shelf.remove(files);
    if (text !== undefined) settleSent(parts, conversationId, text, true);
    void refreshList();
    if (box.get().thread.conversation?.id !== conversationId) {
      // Unread it would take one of the few connections that a browser makes to a server.
      await response.body?.cancel();
      return;
    }
    // What was asked before there was a turn stopped nothing.
    if (box.get().thread.running?.isStopping) void stopTurn(parts, conversationId);
    await follower.follow(undefined, response);
  };

  return {
    begin,
    explain,
    ask: (text, files = []) => {
      const said = text.trim() === "" ? [] : [{ type: "text" as const, text }];
      const asked = [...files, ...said];
      return begin({
        text,
        files,
        messages: [...box.get().thread.messages, pendingQuestion(asked)],
        send: (id, key) => api.ask(id, asked, box.get().choice, key),
      });
    },
  };
}

/** Another tab has changed the conversation. */
const isStale = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/** The conversation of a question; a new one where there is none yet. */
async function ensureConversation(
  parts: StateParts,
  { text = "", files = [] }: Start,
): Promise<string> {
  const { api, box, shelf } = parts;
  const { conversation, messages } = box.get().thread;
  if (conversation !== undefined) return conversation.id;
  const made = await api.create(box.get().choice);
  // The reader may have opened another conversation: leave them there.
  if (box.get().thread.messages !== messages) {
    storeDraft(parts, made.id, text);
    settleSent(parts, undefined, text, true);
    void shelf.put(placeOf(box, made.id), files);
    return made.id;
  }
  nameFiles(parts, made.id, files);
  storeDraft(parts, undefined, "");
  setThread(box, { conversation: made });
  keepDraft(parts, box.get().draft);
  parts.setAddress(made.id);
  return made.id;
}

/** The question leaves the composer, and is shown in the thread. */
function showSending(parts: StateParts, { text, files = [], messages }: Start): void {
  const { box } = parts;
  const id = box.get().thread.conversation?.id;
  setFiles(parts, id, (all) => all.filter((file) => !files.includes(file)));
  setNotice(box, undefined);
  setThread(box, {
    messages,
    running: { turnId: undefined, line: "live", isStopping: false },
    sending: text,
    trouble: undefined,
    findings: [],
  });
  keepDraft(parts, box.get().draft);
}

/** What the server did not take goes back to where it was written. Says whether that is shown. */
function giveBack(
  parts: StateParts,
  { text, files = [] }: Start,
  id: string | undefined,
  messages: readonly UIMessage[],
): boolean {
  const { box } = parts;
  setFiles(parts, id, (added) => [...files, ...added]);
  const isShown = box.get().thread.conversation?.id === id;
  if (isShown) setThread(box, { running: undefined, messages });
  if (text !== undefined) settleSent(parts, id, text, false);
  return isShown;
}
