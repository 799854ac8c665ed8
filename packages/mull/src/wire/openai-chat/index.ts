import type { Wire } from "../../types/wire.ts";
import { decodeStream } from "./client/decode-stream.ts";
import { encode } from "./client/encode.ts";
import { decodeError } from "../common/openai-errors.ts";

/** The wire of OpenAI's Chat Completions and the many compatible services. */
export const openaiChat: Wire = {
  id: "openai-chat",
  encode,
  decodeStream,
  decodeError,
};
