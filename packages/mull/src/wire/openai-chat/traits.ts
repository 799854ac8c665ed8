import type { WireTraits } from "../../types/wire.ts";

export const chatTraits: WireTraits = {
  id: "openai-chat",
  longestCallId: 40,
  takesFile: ({ mediaType, source }, quirks) => {
    if (mediaType.startsWith("image/")) return source.type !== "id";
    if (mediaType.startsWith("audio/")) return source.type === "base64";
    return source.type !== "url" || quirks?.fileUrls === true;
  },
  systemAnywhere: true,
  toolsOrEffort: true,
  showsUnasked: "always",
};
