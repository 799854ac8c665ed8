import { compose, type ChatTarget, type Level, type LevelValue, type ThinkingSetting } from "mull";

/** What a model is sent at each of these levels: what `mull plan` shows, in one value. */
export const sentAt = (
  target: ChatTarget,
  levels: readonly Level[],
): Readonly<Record<string, LevelValue>> =>
  Object.fromEntries(levels.map((level) => [level, valueOf(settingAt(target, level))]));

const settingAt = (target: ChatTarget, level: Level): ThinkingSetting =>
  compose(target, {
    level,
    messages: [{ role: "user", parts: [{ type: "text", text: "…" }] }],
  }).plan.setting;

function valueOf(setting: ThinkingSetting): LevelValue {
  switch (setting.type) {
    case "default":
      return { kind: "none" };
    case "off":
      return { kind: "switch", on: false };
    case "on":
      return { kind: "switch", on: true };
    case "budget":
      return { kind: "budget", tokens: setting.tokens };
    case "effort":
      return { kind: "effort", effort: setting.effort };
    case "level":
      return { kind: "level", level: setting.level };
    default:
      return setting satisfies never;
  }
}
