import type { Wire } from "../../types/wire.ts";
import { decodeStream } from "./client/decode-stream.ts";
import { encode } from "./client/encode.ts";
import { decodeError } from "../common/openai-errors.ts";

/** The wire of OpenAI's Responses API and compatible services. */
export const openaiResponses: Wire = {
  id: "openai-responses",
  encode,
  decodeStream,
  decodeError,
};
