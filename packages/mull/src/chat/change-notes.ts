import { estimateTokens } from "../history/estimate.ts";
import {
  lastEffort,
  settingWord,
  type Asked,
  type EffortUpdates,
} from "../history/effort-updates.ts";
import type { Message } from "../types/message.ts";
import type { Note, ThinkingSetting } from "../types/plan.ts";

/** What another setting than that of the model's last answer means for the prompt cache. */
export function changeNotes(
  messages: readonly Message[],
  reader: Asked,
  setting: ThinkingSetting,
  updates: EffortUpdates | undefined,
  contextTokens: number | undefined,
): readonly Note[] {
  if (updates !== undefined) return updates.isChanged ? [inBand] : [];
  const last = lastEffort(messages, reader);
  if (last === undefined || last === settingWord(setting)) return [];
  const tokens = contextTokens ?? estimateTokens(messages);
  const { price } = reader.model;
  const dollars =
    price === undefined ? "" : `, about $${((tokens * price.input) / 1_000_000).toFixed(2)}`;
  return [
    {
      code: "cache-miss",
      severity: "info",
      message: `The level changed, so the prompt cache starts anew: about ${tokens.toLocaleString("en-US")} tokens are read again${dollars}.`,
    },
  ];
}

const inBand: Note = {
  code: "effort-update",
  severity: "info",
  message: "The new effort is sent inside the conversation, so that the prompt cache survives.",
};
