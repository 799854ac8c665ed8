import { levels, type Level } from "mull";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** `peek`: open while it streams, then one line. */
export const thinkingPreferences = ["peek", "full", "hide"] as const;
export type ThinkingPreference = (typeof thinkingPreferences)[number];

/** How much of an answer a screen reader is told while it comes. */
export const speechPreferences = ["end", "paragraphs", "none"] as const;
export type SpeechPreference = (typeof speechPreferences)[number];

/** A user's choices for all conversations, on every device. */
export interface Preferences {
  readonly theme: Theme;
  readonly thinking: ThinkingPreference;
  readonly speech: SpeechPreference;
  /** The model and level of new conversations; absent until they are chosen. */
  readonly model?: string;
  readonly level?: Level;
  /** Conversations that stay at the top of the list, the latest first. */
  readonly pinned?: readonly string[];
}

/** As many as the server keeps. */
const mostPinned = 100;

export const togglePin = (pinned: readonly string[] = [], id: string): readonly string[] =>
  pinned.includes(id) ? pinned.filter((each) => each !== id) : [id, ...pinned].slice(0, mostPinned);

const defaults: Preferences = { theme: "system", thinking: "peek", speech: "paragraphs" };

const pick = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((each) => each === value);

/** Reads stored preferences, even if they are damaged. */
export function readPreferences(kept: object): Preferences {
  const fields = new Map<string, unknown>(Object.entries(kept));
  const model = fields.get("model");
  const level = pick(levels, fields.get("level"));
  const pinned: unknown = fields.get("pinned");
  return {
    theme: pick(themes, fields.get("theme")) ?? defaults.theme,
    thinking: pick(thinkingPreferences, fields.get("thinking")) ?? defaults.thinking,
    speech: pick(speechPreferences, fields.get("speech")) ?? defaults.speech,
    ...(typeof model === "string" && { model }),
    ...(level !== undefined && { level }),
    ...(Array.isArray(pinned) && { pinned: pinned.filter((id) => typeof id === "string") }),
  };
}

/** The theme is a property of the page, so that the first paint has it. */
export const applyTheme = (theme: Theme, root: HTMLElement): void => {
  if (theme === "system") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
};
