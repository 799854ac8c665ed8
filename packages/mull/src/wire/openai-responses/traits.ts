import type { WireTraits } from "../../types/wire.ts";

export const responsesTraits: WireTraits = {
  id: "openai-responses",
  longestCallId: 64,
  takesFile: ({ mediaType }) => !/^(?:audio|video)\//.test(mediaType),
  systemAnywhere: true,
  refusesTrailingThought: true,
  idsNeedThought: true,
  compactsFrom: 1000,
  showsUnasked: "styled",
  api: { name: "Responses API", leastCap: 16, advisedRoom: 25_000 },
};
