import type { AssistantMessage, Message, SystemMessage, WireId } from "../types/message.ts";
import { isEffort, type Effort, type Model } from "../types/model.ts";
import { info, type Note, type Receipt, type ThinkingSetting } from "../types/plan.ts";
import { effortIn } from "../wire/common/effort-in-body.ts";
import { traitsOf } from "../wire/traits.ts";
import { estimateTokens } from "./estimate.ts";
import type { Reader } from "./fit-assistant.ts";

type EffortReader = Pick<Reader, "model" | "provider" | "wire">;

/**
 * How a new effort is sent to a model that has answered before, so that its prompt cache survives. Empty
 * where the setting simply goes at the top.
 */
export interface EffortUpdates {
  /** What stays at the top of the request. */
  readonly top?: ThinkingSetting;
  /** The effort of the next answer. */
  readonly now?: Effort;
  /** The efforts to send inside the conversation, by the answer each stands before. */
  readonly before?: ReadonlyMap<number, Effort>;
  /** The next answer gets another effort than the last one had. */
  readonly isChanged?: boolean;
}

/**
 * The updates that a request needs, out of the efforts its history remembers: what an earlier request
 * sent inside the conversation stands at the same place again. Where there are none, nothing inside the
 * conversation may contradict the setting: after `high`, `low`, `auto` and `high` again, the `low` is
 * not sent any more.
 */
export function planEffortUpdates(
  messages: readonly Message[],
  reader: EffortReader,
  setting: ThinkingSetting,
): EffortUpdates {
  const effort = settingWord(setting);
  if (reader.model.effortUpdates !== true || !isOffered(effort, reader.model)) return {};
  const asked = askedBefore(messages, reader);
  const top = asked[0]?.[1];
  if (top === undefined) return {};
  const before = new Map<number, Effort>();
  let inForce = top;
  for (const [at, word] of [...asked, [messages.length, effort] as const]) {
    // Each answer after the first change then gets one of its own.
    const isNeeded = traitsOf[reader.wire].effortForOneTurn && before.size > 0;
    if (word !== inForce || isNeeded) before.set(at, word);
    inForce = word;
  }
  const isChanged = asked.at(-1)![1] !== effort;
  return { top: { type: "effort", effort: top }, now: effort, before, isChanged };
}

/**
 * The model's own answers and their efforts, back to the last one whose setting was no effort word: it
 * was asked for with nothing inside the conversation. A top of `none` would hide all later thinking.
 */
function askedBefore(
  messages: readonly Message[],
  reader: EffortReader,
): readonly (readonly [at: number, effort: Effort])[] {
  const asked: (readonly [number, Effort])[] = [];
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (!isOwnAnswer(message, reader)) continue;
    if (!isOffered(message.effort, reader.model)) break;
    asked.push([at, message.effort]);
  }
  while (asked.at(-1)?.[1] === "none") asked.pop();
  return asked.toReversed();
}

const isOwnAnswer = (
  message: Message,
  { model, provider, wire }: EffortReader,
): message is AssistantMessage =>
  message.role === "assistant" &&
  message.origin?.model === model.id &&
  message.origin.provider === provider &&
  message.origin.wire === wire;

const isOffered = (word: string | undefined, { thinking }: Model): word is Effort =>
  thinking.kind === "effort" && isEffort(word) && thinking.efforts.includes(word);

/** The effort or setting of the model's last answer, in one word; `undefined` if it is unknown. */
const lastEffort = (messages: readonly Message[], reader: EffortReader): string | undefined =>
  messages.findLast((message): message is AssistantMessage => isOwnAnswer(message, reader))?.effort;

/** An effort update as a neutral message. Wires with such updates write it in their own format. */
export const updateMessage = (effort: Effort, wire: WireId): SystemMessage => ({
  role: "system",
  parts: [{ type: "opaque", wire, kind: "effort-update", data: { effort }, show: false }],
});

/** The `effort` of an answer's message: what its receipt says was sent about thinking, in one word. */
export const effortOf = (receipt: Receipt): string =>
  effortIn(receipt.sent) ?? settingWord(receipt.plan.setting);

/** A thinking setting in one word. */
function settingWord(setting: ThinkingSetting): string {
  switch (setting.type) {
    case "default":
      return "auto";
    case "off":
      return setting.form === "effort-none" ? "none" : "off";
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

/** Notes about what a changed setting means for the prompt cache. */
export function changeNotes(
  messages: readonly Message[],
  reader: EffortReader,
  setting: ThinkingSetting,
  updates: EffortUpdates,
  contextTokens: number | undefined,
): readonly Note[] {
  if (updates.top !== undefined) return updates.isChanged ? [inBand] : [];
  const last = lastEffort(messages, reader);
  if (last === undefined || last === settingWord(setting)) return [];
  const tokens = contextTokens ?? estimateTokens(messages);
  const { price } = reader.model;
  const dollars =
    price === undefined ? "" : `, about $${((tokens * price.input) / 1_000_000).toFixed(2)}`;
  return [
    info(
      "cache-miss",
      `The level changed, so the prompt cache starts over: about ${tokens.toLocaleString("en-US")} tokens are read again${dollars}.`,
    ),
  ];
}

const inBand: Note = info(
  "effort-update",
  "The new effort is sent inside the conversation, so that the prompt cache survives.",
);
