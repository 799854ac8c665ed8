import type { Wire } from "../../types/wire.ts";
import { decodeStream } from "./client/decode-stream.ts";
import { encode } from "./client/encode.ts";
import { decodeError } from "./client/error.ts";

/** The wire of Anthropic's Messages API and compatible services. */
export const anthropicMessages: Wire = {
  id: "anthropic-messages",
  encode,
  decodeStream,
  decodeError,
};
