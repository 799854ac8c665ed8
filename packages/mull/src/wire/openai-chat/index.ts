import type { Wire } from "../../types/wire.ts";
import { createStreamDecoder } from "./client/decode-stream.ts";
import { decode } from "./client/decode.ts";
import { encode } from "./client/encode.ts";
import { decodeError } from "./client/error.ts";

/** OpenAI's Chat Completions, and the many servers that speak it. */
export const openaiChat: Wire = {
  id: "openai-chat",
  encode,
  decode,
  decodeStream: (context) => createStreamDecoder(context),
  decodeError,
};
