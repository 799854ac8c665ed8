import type { ServerSentEvent } from "../../../types/http.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { ServeError, WireMirror } from "../../../types/wire.ts";
import { decodeRequest } from "./read-request.ts";
import { encodeReply } from "./write-reply.ts";
import { encodeStream } from "./write-stream.ts";

const encodeError = ({ message, type, param, code }: ServeError): JsonObject => ({
  error: { message, type, param: param ?? null, code: code ?? null },
});

/** An `error` event, then the response it ended, as the service sends them. */
function encodeStreamError(error: ServeError): readonly ServerSentEvent[] {
  const { message, type, param = null, code = null } = error;
  const failed = {
    object: "response",
    status: "failed",
    error: { code: code ?? type, message },
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const frames = [
    { type: "error", error: { type, code, message, param } },
    { type: "response.failed", response: failed },
  ];
  return frames.map((frame) => ({ event: frame.type, data: JSON.stringify(frame) }));
}

/** The service's side of the Responses API. */
export const openaiResponsesMirror: WireMirror = {
  id: "openai-responses",
  decodeRequest,
  encodeReply,
  encodeStream,
  encodeError,
  encodeStreamError,
};
