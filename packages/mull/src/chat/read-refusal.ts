import { MullError } from "../types/error.ts";
import type { HttpFailure } from "../types/http.ts";
import type { Provider } from "../types/provider.ts";
import { retryAfterMs } from "../wire/common/retry-after.ts";

/** Decodes a refusal. If the wire found no retry time, looks for one in the text. */
export function readRefusal(provider: Provider, failure: HttpFailure): MullError {
  const error = provider.wire.decodeError(failure, provider.id);
  const waitMs = error.retryAfterMs === undefined ? retryAfterMs(failure) : undefined;
  if (waitMs === undefined) return error;
  const { message, cause } = error;
  return new MullError(
    message,
    Object.assign({}, error, { retryAfterMs: waitMs }),
    cause ? { cause } : undefined,
  );
}
