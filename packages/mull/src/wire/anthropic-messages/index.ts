import type { Wire } from "../../types/wire.ts";
import { decode } from "./client/decode.ts";
import { decodeStream } from "./client/decode-stream.ts";
import { encode } from "./client/encode.ts";
import { decodeError } from "./client/error.ts";

/** Anthropic's Messages API, and whoever speaks it. */
export const anthropicMessages: Wire = {
  id: "anthropic-messages",
  encode,
  decode,
  decodeStream,
  decodeError,
};
