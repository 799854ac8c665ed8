import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { ServeError, WireMirror } from "../../../types/wire.ts";
import { makeMirror } from "../../common/stream-writer.ts";
import { decodeRequest } from "./read-request.ts";
import { encodeReply } from "./write-reply.ts";
import { openStream } from "./write-stream.ts";

const encodeError = (error: ServeError): JsonObject => ({ type: "error", ...errorFields(error) });

function errorFields(error: ServeError): JsonObject {
  const { type, message, code, details, requestId } = error;
  const stable = {
    ...(isJsonObject(details) && details),
    ...(code !== undefined && { error_code: code }),
  };
  return {
    error: { type, message, ...(Object.keys(stable).length > 0 && { details: stable }) },
    ...(requestId !== undefined && { request_id: requestId }),
  };
}

/** The service's side of the Messages API. */
export const anthropicMessagesMirror: WireMirror = makeMirror({
  id: "anthropic-messages",
  decodeRequest,
  encodeReply,
  openStream: (context) => openStream(context, errorFields),
  encodeError,
});
