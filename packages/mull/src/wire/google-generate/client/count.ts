import { pick } from "../../../types/json.ts";
import type { TokenCounter } from "../../../types/wire.ts";
import { readCount } from "../../common/json-reading.ts";

/** What Vertex counts. The Gemini API counts a whole request, which names its model once more. */
const counted = ["contents", "systemInstruction", "tools", "generationConfig"];

export const googleCounter: TokenCounter = {
  encode: ({ path, body }) => {
    const [address = ""] = path.split(/:(?:streamG|g)enerateContent(?:\?.*)?$/);
    const model = address.slice(address.lastIndexOf("/") + 1);
    return {
      path: `${address}:countTokens`,
      body: address.startsWith("/publishers/")
        ? pick(body, counted)
        : { generateContentRequest: { model: `models/${decodeURIComponent(model)}`, ...body } },
    };
  },
  decode: (body) => readCount(body["totalTokens"]),
};
