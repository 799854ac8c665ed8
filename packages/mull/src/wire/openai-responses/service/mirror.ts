import type { WireMirror } from "../../../types/wire.ts";
import { encodeError } from "../../common/openai-errors.ts";
import { makeMirror } from "../../common/stream-writer.ts";
import { decodeRequest } from "./read-request.ts";
import { encodeReply } from "./write-reply.ts";
import { openStream } from "./write-stream.ts";

/** The service's side of the Responses API. */
export const openaiResponsesMirror: WireMirror = makeMirror({
  id: "openai-responses",
  decodeRequest,
  encodeReply,
  openStream,
  encodeError,
});
