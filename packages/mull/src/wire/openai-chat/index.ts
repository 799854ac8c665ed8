import type { Wire } from "../../types/wire.ts";
import { createStreamDecoder } from "./decode-stream.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { decodeError } from "./error.ts";

/** OpenAI's Chat Completions, and the many servers that speak it. */
export const openaiChat: Wire = {
  id: "openai-chat",
  encode,
  decode,
  decodeStream: (context) => createStreamDecoder(context),
  decodeError,
};
