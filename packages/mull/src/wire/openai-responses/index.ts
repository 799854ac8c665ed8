import type { Wire } from "../../types/wire.ts";
import { decode } from "./client/decode.ts";
import { decodeStream } from "./client/decode-stream.ts";
import { encode } from "./client/encode.ts";
import { decodeError } from "./client/error.ts";

/** The Responses API of OpenAI and of those who speak it. */
export const openaiResponses: Wire = {
  id: "openai-responses",
  encode,
  decode,
  decodeStream: (context) => decodeStream(context),
  decodeError,
};
