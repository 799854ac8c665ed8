import type { JsonObject } from "../../../types/json.ts";
import type { ServeError, WireMirror } from "../../../types/wire.ts";
import { makeMirror } from "../../common/stream-writer.ts";
import { decodeRequest } from "./read-request.ts";
import { encodeReply, openStream } from "./write-reply.ts";

const statusWords: ReadonlyMap<number, string> = new Map([
  [400, "INVALID_ARGUMENT"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [429, "RESOURCE_EXHAUSTED"],
  [499, "CANCELLED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
]);

function encodeError(error: ServeError): JsonObject {
  const status = /^[A-Z_]+$/.test(error.type)
    ? error.type
    : (statusWords.get(error.status) ?? "UNKNOWN");
  const details = [
    ...(error.code === undefined ? [] : [errorInfo(error.code)]),
    ...[error.details ?? []].flat(),
  ];
  return {
    error: {
      code: error.status,
      message: error.message,
      status,
      ...(details.length > 0 && { details }),
    },
  };
}

const errorInfo = (reason: string): JsonObject => ({
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason,
  domain: "googleapis.com",
  metadata: { service: "generativelanguage.googleapis.com" },
});

/** The service's side of `generateContent`. */
export const googleGenerateMirror: WireMirror = makeMirror({
  id: "google-generate",
  decodeRequest,
  encodeReply,
  openStream: (context) => openStream(context, encodeError),
  encodeError,
});
