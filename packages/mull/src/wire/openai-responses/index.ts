import type { Wire } from "../../types/wire.ts";
import { decode } from "./decode.ts";
import { decodeStream } from "./decode-stream.ts";
import { encode } from "./encode.ts";
import { decodeError } from "./error.ts";

/** The Responses API of OpenAI and of those who speak it. */
export const openaiResponses: Wire = {
  id: "openai-responses",
  encode,
  decode,
  decodeStream: (context) => decodeStream(context),
  decodeError,
};
