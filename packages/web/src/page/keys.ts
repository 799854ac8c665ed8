/** Keys that work anywhere on the page. Ctrl stands for ⌘ if there is none. */
export const pageKeys = [
  { keys: "Mod+K", does: "search conversations", action: "search" },
  { keys: "Mod+Shift+O", does: "new conversation", action: "new" },
  { keys: "Mod+Shift+M", does: "choose a model", action: "models" },
  { keys: "Mod+/", does: "this help; outside a text field also ?", action: "help" },
  { keys: "Escape", does: "stop the answer, then close the top window", action: "escape" },
] as const;

/** Keys while the thread has the focus. */
export const threadKeys = [
  { keys: "j", does: "next message", action: "next" },
  { keys: "k", does: "previous message", action: "before" },
  { keys: "t", does: "open or close thinking", action: "thinking" },
  { keys: "r", does: "receipt", action: "receipt" },
  { keys: "i", does: "what would be sent", action: "inspector" },
  { keys: "c", does: "copy the message", action: "copy" },
] as const;

export const composerKeys = [
  { keys: "Enter", does: "send" },
  { keys: "Shift+Enter", does: "new line" },
  { keys: "Alt+↑ Alt+↓", does: "turn the dial" },
  { keys: "↑", does: "edit the last question, when empty" },
  { keys: "↓", does: "from the search field to the results" },
  { keys: "F2", does: "rename the conversation in the list" },
] as const;

export type PageAction = (typeof pageKeys)[number]["action"];
export type ThreadAction = (typeof threadKeys)[number]["action"];

type Press = Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey">;

const spell = ({ key, metaKey, ctrlKey, shiftKey, altKey }: Press): string =>
  [
    ...(metaKey || ctrlKey ? ["Mod"] : []),
    ...(altKey ? ["Alt"] : []),
    ...(shiftKey && key.length > 0 ? ["Shift"] : []),
    key.length === 1 ? key.toUpperCase() : key,
  ].join("+");

/** `isWriting`: what is pressed goes into a field. */
export const findPageAction = (press: Press, isWriting: boolean): PageAction | undefined => {
  const spelled = spell(press);
  // Most keyboards have it behind Shift, some behind nothing.
  if (press.key === "?" && !isWriting && !press.metaKey && !press.ctrlKey) return "help";
  return pageKeys.find(({ keys }) => keys === spelled)?.action;
};

export const findThreadAction = (press: Press): ThreadAction | undefined => {
  if (press.metaKey || press.ctrlKey || press.altKey || press.shiftKey) return undefined;
  return threadKeys.find(({ keys }) => keys === press.key)?.action;
};

/** As this keyboard has it. */
export const spellFor = (keys: string, isMac: boolean): string =>
  keys
    .replace("Mod", isMac ? "⌘" : "Ctrl")
    .replace("Shift", isMac ? "⇧" : "Shift")
    .replace("Alt", isMac ? "⌥" : "Alt");
