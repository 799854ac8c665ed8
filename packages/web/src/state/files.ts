import { readFiles } from "../composer/read-files.ts";
import type { UIFilePart } from "../thread/read-turn.ts";
import type { AppState } from "./app-state.ts";
import { setNotice, tell, type StateParts } from "./parts.ts";

const keyOf = (conversationId: string | undefined): string => conversationId ?? "new";

/** The files that go with what is being written. Those of what waits for its turn are kept beside them. */
export function filesOf({ files, thread }: Pick<AppState, "files" | "thread">): Files {
  const kept = files.get(keyOf(thread.conversation?.id)) ?? none;
  const { queuedFiles } = thread;
  return queuedFiles.length === 0 ? kept : kept.filter((file) => !queuedFiles.includes(file));
}

type Files = readonly UIFilePart[];
const none: Files = [];

/**
 * Puts files beside what is written in a conversation, whichever one is shown. They are too large
 * for a browser's storage: other than what is typed they do not outlive a reload.
 */
export function setFiles(
  { box }: Pick<StateParts, "box">,
  conversationId: string | undefined,
  change: (before: Files) => Files,
): void {
  box.set((before) => {
    const key = keyOf(conversationId);
    const changed = new Map(before.files);
    const files = change(changed.get(key) ?? none);
    if (files.length === 0) changed.delete(key);
    else changed.set(key, files);
    return { ...before, files: changed };
  });
}

export interface FileActions {
  readonly attach: (given: readonly File[]) => Promise<void>;
  readonly detach: (file: UIFilePart) => void;
}

export function createFileActions(parts: StateParts): FileActions {
  const { box } = parts;
  return {
    attach: async (given) => {
      const { thread } = box.get();
      if (given.length === 0 || thread.isReadOnly) return;
      const { files, refusals } = await readFiles(given, filesOf(box.get()));
      setFiles(parts, thread.conversation?.id, (before) => [...before, ...files]);
      if (refusals.length > 0) setNotice(box, { text: refusals.join(" "), isTrouble: true });
      if (files.length > 0) tell(box, `Added: ${namesOf(files)}.`);
    },
    detach: (file) => {
      const { conversation } = box.get().thread;
      setFiles(parts, conversation?.id, (before) => before.filter((each) => each !== file));
      tell(box, `Removed: ${namesOf([file])}.`);
    },
  };
}

export const nameOf = ({ filename = "file" }: UIFilePart): string => filename;

export const namesOf = (files: readonly UIFilePart[]): string => files.map(nameOf).join(", ");
