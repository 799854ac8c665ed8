export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** `peek`: open while it streams, then one line. */
export const thinkingPreferences = ["peek", "full", "hide"] as const;
export type ThinkingPreference = (typeof thinkingPreferences)[number];

/** How much of an answer a screen reader is told while it comes. */
export const speechPreferences = ["end", "paragraphs", "none"] as const;
export type SpeechPreference = (typeof speechPreferences)[number];

export interface Preferences {
  readonly theme: Theme;
  readonly thinking: ThinkingPreference;
  readonly speech: SpeechPreference;
}

const defaults: Preferences = { theme: "system", thinking: "peek", speech: "paragraphs" };

const pick = <T extends string>(allowed: readonly T[], value: unknown, otherwise: T): T =>
  allowed.find((each) => each === value) ?? otherwise;

/** Reads what was kept, whatever somebody wrote there. */
export function readPreferences(text: string | null): Preferences {
  const kept = parseObject(text);
  return {
    theme: pick(themes, kept.get("theme"), defaults.theme),
    thinking: pick(thinkingPreferences, kept.get("thinking"), defaults.thinking),
    speech: pick(speechPreferences, kept.get("speech"), defaults.speech),
  };
}

function parseObject(text: string | null): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
  } catch {
    return new Map();
  }
}

/** The theme is a property of the page, so that the first paint has it. */
export const applyTheme = (theme: Theme, root: HTMLElement): void => {
  if (theme === "system") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
};
