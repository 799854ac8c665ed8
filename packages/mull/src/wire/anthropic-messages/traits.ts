import type { WireTraits } from "../../types/wire.ts";

const fileTypes = /^(?:image\/(?:jpeg|png|gif|webp)|application\/pdf|text\/plain)$/;

export const anthropicTraits: WireTraits = {
  id: "anthropic-messages",
  longestCallId: 64,
  takesFile: ({ mediaType, source }) =>
    fileTypes.test(mediaType) || (mediaType === "image/*" && source.type !== "base64"),
  refusesBlanks: true,
  systemWaits: true,
  effortForOneTurn: true,
  noPrefillWhileThinking: true,
  noThoughtsWhileOff: true,
  loopsBeginWithThought: true,
  refusesTrailingThought: true,
  sealsTravel: true,
  compactsFrom: 50_000,
  needsCap: true,
  deprecatesBudgets: true,
};
