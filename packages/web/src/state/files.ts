import { readFiles } from "../composer/read-files.ts";
import type { UIFilePart } from "../thread/read-turn.ts";
import type { AppState } from "./app-state.ts";
import { createTurns } from "./in-turn.ts";
import { placeOf, setNotice, tell, type StateParts } from "./parts.ts";

const keyOf = (conversationId: string | undefined): string => conversationId ?? "new";

/** The files of the question that is being written. Queued questions keep theirs next to them. */
export function filesOf({ files, thread }: Pick<AppState, "files" | "thread">): Files {
  const kept = files.get(keyOf(thread.conversation?.id)) ?? none;
  const { queuedFiles } = thread;
  return queuedFiles.length === 0 ? kept : kept.filter((file) => !queuedFiles.includes(file));
}

type Files = readonly UIFilePart[];
const none: Files = [];

/** Adds files to the question of a conversation, whichever one is shown. */
export function setFiles(
  { box }: Pick<StateParts, "box">,
  conversationId: string | undefined,
  change: (before: Files) => Files,
): void {
  box.set((before) => {
    const key = keyOf(conversationId);
    const files = change(before.files.get(key) ?? none);
    return { ...before, files: new Map(before.files).set(key, files) };
  });
}

/** Shows again what was added before the page was left. */
export async function restoreFiles(
  parts: StateParts,
  conversationId: string | undefined,
): Promise<void> {
  const { box, shelf } = parts;
  // From then on the page itself knows them, those on their way to the server among them.
  if (box.get().files.has(keyOf(conversationId))) return;
  const place = placeOf(box, conversationId);
  const kept = await shelf.read(place);
  if (kept.length === 0 || place !== placeOf(box, conversationId)) return;
  setFiles(parts, conversationId, (added) => [
    ...kept.filter((file) => !added.includes(file)),
    ...added,
  ]);
}

/** What was added before a conversation had a name goes along when it gets one. */
export function nameFiles(parts: StateParts, conversationId: string, sent: Files): void {
  const { box, shelf } = parts;
  const added = box.get().files.get(keyOf(undefined)) ?? none;
  setFiles(parts, undefined, () => none);
  setFiles(parts, conversationId, () => added);
  void shelf.put(placeOf(box, conversationId), [...sent, ...added]);
}

/** A conversation is gone, and with it what would have gone into it. */
export async function forgetFiles(parts: StateParts, conversationId: string): Promise<void> {
  const { box, shelf } = parts;
  const kept = await shelf.read(placeOf(box, conversationId));
  setFiles(parts, conversationId, () => none);
  await shelf.remove(kept);
}

/** Files that would be gone with the page. */
export const lostFiles = ({ box, shelf }: StateParts): Files =>
  [...box.get().files.values()].flat().filter((file) => !shelf.has(file));

export interface FileActions {
  readonly attach: (given: readonly File[]) => Promise<void>;
  /** Resolves when every file given so far has been read; `undefined`: they have. */
  readonly whenRead: () => Promise<void> | undefined;
  readonly detach: (file: UIFilePart) => void;
}

export function createFileActions(parts: StateParts): FileActions {
  const { box, shelf } = parts;
  // A small file given after a large one is read first, and still stands behind it.
  const inTurn = createTurns();
  let reading = 0;
  return {
    attach: async (given) => {
      const { thread } = box.get();
      if (given.length === 0 || thread.isReadOnly) return;
      const id = thread.conversation?.id;
      reading++;
      const { files, refusals } = await inTurn(async () => {
        const read = await readFiles(given, filesOf({ files: box.get().files, thread }));
        setFiles(parts, id, (before) => [...before, ...read.files]);
        reading--;
        return read;
      });
      if (files.length > 0) tell(box, `Added: ${namesOf(files)}.`);
      const unkept = await shelf.put(placeOf(box, id), files);
      const warnings = unkept.length === 0 ? [] : [notKept(unkept)];
      const text = [...refusals, ...warnings].join(" ");
      if (text !== "") setNotice(box, { text, isTrouble: true });
    },
    whenRead: () => (reading === 0 ? undefined : inTurn(async () => undefined)),
    detach: (file) => {
      const { conversation } = box.get().thread;
      setFiles(parts, conversation?.id, (before) => before.filter((each) => each !== file));
      void shelf.remove([file]);
      tell(box, `Removed: ${namesOf([file])}.`);
    },
  };
}

const notKept = (files: Files): string =>
  `This browser has no room to store ${namesOf(files)}: send before you leave or reload the page.`;

export const nameOf = ({ filename = "file" }: UIFilePart): string => filename;

export const namesOf = (files: readonly UIFilePart[]): string => files.map(nameOf).join(", ");
