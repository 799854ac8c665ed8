import type { WireTraits } from "../../types/wire.ts";

export const googleTraits: WireTraits = {
  id: "google-generate",
  longestCallId: 128,
  readsTextFiles: true,
  beginsWithUser: true,
  takesUnions: true,
  schemaOrForcedTool: true,
};
