import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import { isMullError, type SentRequest } from "mull";

/**
 * A failure as the AI SDK knows it, so that its own retries, and programs that look at `statusCode` and
 * `isRetryable`, work as with every other provider. Our error is the `cause`.
 */
export function toAISDKError(
  error: unknown,
  sent: SentRequest | undefined,
  signal: AbortSignal | undefined,
): unknown {
  if (signal?.aborted === true) return abortOf(signal);
  if (!isMullError(error)) return error;
  const { message, code, status, retryAfterMs, requestId, retryable, category, fix } = error;
  if (code === "missing_key") return new LoadAPIKeyError({ message });
  return new APICallError({
    message: fix === undefined ? message : `${message} (${fix})`,
    url: sent?.url ?? "",
    requestBodyValues: sent?.body ?? {},
    ...(status !== undefined && { statusCode: status }),
    responseHeaders: {
      ...(retryAfterMs !== undefined && { "retry-after-ms": String(retryAfterMs) }),
      ...(requestId !== undefined && { "x-request-id": requestId }),
    },
    isRetryable: retryable,
    cause: error,
    data: { category, code },
  });
}

/** The AI SDK knows a stopped call by the name of its error. */
function abortOf({ reason }: AbortSignal): unknown {
  const isKnown = reason instanceof Error && /^(?:Abort|Timeout)Error$/.test(reason.name);
  return isKnown ? reason : new DOMException("The call was stopped.", "AbortError");
}
