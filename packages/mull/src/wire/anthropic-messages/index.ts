import type { Wire } from "../../types/wire.ts";
import { decode } from "./decode.ts";
import { decodeStream } from "./decode-stream.ts";
import { encode } from "./encode.ts";
import { decodeError } from "./error.ts";

/** Anthropic's Messages API, and whoever speaks it. */
export const anthropicMessages: Wire = {
  id: "anthropic-messages",
  encode,
  decode,
  decodeStream,
  decodeError,
};
