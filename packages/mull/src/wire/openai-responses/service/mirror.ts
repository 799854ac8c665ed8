import type { JsonObject } from "../../../types/json.ts";
import type { ServeError, WireMirror } from "../../../types/wire.ts";
import { makeMirror } from "../../common/stream-writer.ts";
import { decodeRequest } from "./read-request.ts";
import { encodeReply } from "./write-reply.ts";
import { openStream } from "./write-stream.ts";

const encodeError = ({ message, type, param, code }: ServeError): JsonObject => ({
  error: { message, type, param: param ?? null, code: code ?? null },
});

/** The service's side of the Responses API. */
export const openaiResponsesMirror: WireMirror = makeMirror({
  id: "openai-responses",
  decodeRequest,
  encodeReply,
  openStream,
  encodeError,
});
