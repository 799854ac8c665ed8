import type { AssistantMessage, Message, SystemMessage } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { Note, ThinkingSetting } from "../types/plan.ts";
import { estimateTokens } from "../history/estimate.ts";

/** How a change of effort reaches a model without losing its prompt cache. */
export interface EffortUpdate {
  /** The effort to keep sending at the top, so that the cached prefix stays the same. */
  readonly top: string;
  /** The update to put into the conversation; absent when the effort in force is the one wanted. */
  readonly message?: SystemMessage;
}

/**
 * The in-band update a turn needs, for models that have them and were asked before in this
 * conversation; `undefined` when the effort simply goes at the top.
 */
export function effortUpdate(
  messages: readonly Message[],
  model: Model,
  setting: ThinkingSetting,
): EffortUpdate | undefined {
  if (model.effortUpdates !== true || setting.type !== "effort") return undefined;
  const top = messages.find(
    (message): message is AssistantMessage =>
      message.role === "assistant" &&
      message.origin?.model === model.id &&
      message.effort !== undefined,
  )?.effort;
  if (top === undefined) return undefined;
  const inForce = lastUpdate(messages, model) ?? top;
  return inForce === setting.effort
    ? { top }
    : { top, message: updateMessage(model, setting.effort) };
}

function lastUpdate(messages: readonly Message[], model: Model): string | undefined {
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i]!;
    if (message.role !== "system") continue;
    for (const part of message.parts) {
      if (
        part.type === "opaque" &&
        part.wire === model.wire &&
        part.seal?.origin.model === model.id
      ) {
        const effort = part.data["effort"];
        if (typeof effort === "string") return effort;
      }
    }
  }
  return undefined;
}

/** Neutral words; each wire that has such updates spells it its own way. */
const updateMessage = (model: Model, effort: string): SystemMessage => ({
  role: "system",
  parts: [
    {
      type: "opaque",
      wire: model.wire,
      kind: "effort-update",
      data: { effort },
      show: false,
      seal: { origin: { wire: model.wire, provider: model.provider, model: model.id }, data: {} },
    },
  ],
});

/** What was sent about thinking, in one word. */
export function settingWord(setting: ThinkingSetting): string | undefined {
  switch (setting.type) {
    case "default":
      return undefined;
    case "off":
      return "off";
    case "on":
      return "on";
    case "budget":
      return String(setting.tokens);
    case "effort":
      return setting.effort;
    case "level":
      return setting.level;
    default:
      return setting satisfies never;
  }
}

/** Another setting than the last answer's starts a new cached prefix: says so, with a rough price. */
export function cacheMissNotes(
  messages: readonly Message[],
  model: Model,
  setting: ThinkingSetting,
): readonly Note[] {
  const last = messages.findLast(
    (message): message is AssistantMessage =>
      message.role === "assistant" && message.origin?.model === model.id,
  )?.effort;
  if (last === undefined || last === settingWord(setting)) return [];
  const tokens = estimateTokens(messages);
  const price =
    model.price === undefined
      ? ""
      : `, about $${((tokens * model.price.input) / 1_000_000).toFixed(2)}`;
  return [
    {
      code: "cache-miss",
      severity: "info",
      message: `The level changed, so the prompt cache starts anew: about ${tokens.toLocaleString("en-US")} tokens are read again${price}.`,
    },
  ];
}
