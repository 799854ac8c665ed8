import type { Editor } from "./editor.ts";

/** Keys that only change the text or move in it. */
interface Editing {
  readonly keys: readonly string[];
  readonly help: string;
  readonly run: (editor: Editor) => void;
}

/** The keys that edit the line, and what each does. */
export const editing: readonly Editing[] = [
  { keys: ["left", "ctrl-b"], help: "back one character", run: (editor) => editor.left() },
  { keys: ["right", "ctrl-f"], help: "on one character", run: (editor) => editor.right() },
  {
    keys: ["alt-b", "ctrl-left", "alt-left"],
    help: "back one word",
    run: (editor) => editor.wordLeft(),
  },
  {
    keys: ["alt-f", "ctrl-right", "alt-right"],
    help: "on one word",
    run: (editor) => editor.wordRight(),
  },
  { keys: ["home", "ctrl-a"], help: "start of the line", run: (editor) => editor.lineStart() },
  { keys: ["end", "ctrl-e"], help: "end of the line", run: (editor) => editor.lineEnd() },
  {
    keys: ["backspace", "ctrl-h"],
    help: "delete the character before",
    run: (editor) => editor.backspace(),
  },
  { keys: ["delete"], help: "delete the character behind", run: (editor) => editor.delete() },
  {
    keys: ["ctrl-w", "alt-backspace"],
    help: "cut the word before",
    run: (editor) => editor.killWord(),
  },
  { keys: ["alt-d"], help: "cut the word behind", run: (editor) => editor.killWordRight() },
  { keys: ["ctrl-u"], help: "cut to the start of the line", run: (editor) => editor.killToStart() },
  { keys: ["ctrl-k"], help: "cut to the end of the line", run: (editor) => editor.killToEnd() },
  { keys: ["ctrl-y"], help: "put back what was cut", run: (editor) => editor.yank() },
  {
    keys: ["ctrl-j", "alt-return", "alt-enter"],
    help: "new line",
    run: (editor) => editor.insert("\n"),
  },
];

export const editorKeys: ReadonlyMap<string, (editor: Editor) => void> = new Map(
  editing.flatMap(({ keys, run }) => keys.map((key) => [key, run] as const)),
);
