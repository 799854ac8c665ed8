import type { DraftPart } from "../world/draft.ts";
import { countText, cutToTokens } from "../world/tokens.ts";
import type { FittedPart } from "./service.ts";

export interface FittedParts {
  readonly parts: readonly FittedPart[];
  readonly thinkingTokens: number;
  readonly outputTokens: number;
  /** The output cap was reached before the end of the answer. */
  readonly isCut: boolean;
  readonly stopSequence?: string;
}

const redactedTokens = 64;

const textOf = (part: DraftPart): string => {
  switch (part.type) {
    case "thinking":
    case "omitted":
    case "text":
      return part.text;
    case "redacted":
      return "";
    case "call":
      return part.name + (part.raw ?? JSON.stringify(part.input));
    default:
      return part satisfies never;
  }
};

const tokensOf = (part: DraftPart): number =>
  part.type === "redacted" ? redactedTokens : countText(textOf(part));

export const isThinking = (part: DraftPart): boolean =>
  part.type === "thinking" || part.type === "omitted" || part.type === "redacted";

/** The beginning of a part that still fits. A call fits whole or not at all. */
const cutPart = (part: DraftPart, room: number): DraftPart | undefined =>
  room > 0 && (part.type === "text" || part.type === "thinking" || part.type === "omitted")
    ? { ...part, text: cutToTokens(part.text, room) }
    : undefined;

const firstStop = (
  text: string,
  sequences: readonly string[],
): { readonly at: number; readonly sequence: string } | undefined => {
  const found = sequences
    .filter((sequence) => sequence !== "" && text.includes(sequence))
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }));
  return found.toSorted((a, b) => a.at - b.at)[0];
};

/** Ends the parts at the first stop sequence in a text. */
const stopAt = (
  parts: readonly DraftPart[],
  sequences: readonly string[],
): { readonly parts: readonly DraftPart[]; readonly stopSequence?: string } => {
  for (const [i, part] of parts.entries()) {
    const stop = part.type === "text" ? firstStop(part.text, sequences) : undefined;
    if (stop === undefined || part.type !== "text") continue;
    const kept = stop.at === 0 ? [] : [{ ...part, text: part.text.slice(0, stop.at) }];
    return { parts: [...parts.slice(0, i), ...kept], stopSequence: stop.sequence };
  }
  return { parts };
};

/** Cuts an answer to its output cap. Thinking comes first and counts toward the same cap, as at the services. */
export const fitParts = (
  drafted: readonly DraftPart[],
  cap: number | undefined,
  stopSequences: readonly string[],
): FittedParts => {
  const stopped = stopAt(drafted, stopSequences);
  const parts: FittedPart[] = [];
  let room = cap ?? Infinity;
  let thinkingTokens = 0;
  let outputTokens = 0;
  let isCut = false;
  for (const part of stopped.parts) {
    const fits = tokensOf(part) <= room;
    const kept = fits ? part : cutPart(part, room);
    isCut ||= !fits;
    if (kept === undefined) break;
    const spent = tokensOf(kept);
    room -= spent;
    if (isThinking(kept)) thinkingTokens += spent;
    else outputTokens += spent;
    parts.push(kept);
    if (!fits) break;
  }
  const stopSequence = isCut ? undefined : stopped.stopSequence;
  return {
    parts,
    thinkingTokens,
    outputTokens,
    isCut,
    ...(stopSequence !== undefined && { stopSequence }),
  };
};
