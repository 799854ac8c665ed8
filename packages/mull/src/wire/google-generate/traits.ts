import type { WireTraits } from "../../types/wire.ts";

export const googleTraits: WireTraits = {
  longestCallId: 128,
  readsTextFiles: true,
  beginsWithUser: true,
  takesUnions: true,
  schemaOrForcedTool: true,
};
